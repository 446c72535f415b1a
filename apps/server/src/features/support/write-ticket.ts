import {
  isTicketKind,
  readTicketWords,
  type SupportRefusal,
  TICKET_DAY_MS,
  TICKET_MESSAGES_PER_DAY_MAX,
  TICKET_REPLY_MIN,
  TICKET_WORDS_MIN,
  TICKETS_OPEN_MAX,
} from "@sesame/contract/support";
import { addMs, ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import type { Db } from "../../postgres/database.ts";
import { tellDesk, ticketChanged } from "./tell.ts";
import {
  addWords,
  awaitDesk,
  markClosed,
  insertTicket,
  lockSpent,
  lockTicket,
  markSeen,
  ownsOrder,
  ownsWithdrawal,
} from "./ticket.store.ts";

export type TicketAsked = {
  readonly sellerId: bigint;
  readonly kind: unknown;
  readonly words: unknown;
  readonly order: unknown;
  readonly withdrawal: unknown;
};

type Subject = { readonly orderId: bigint | null; readonly withdrawalId: bigint | null };

/** A seller asks the desk something. → the ticket's id */
export async function openTicketIn(
  app: App,
  tx: Db,
  asked: TicketAsked,
): Promise<Result<bigint, SupportRefusal>> {
  const { sellerId, kind } = asked;
  if (!isTicketKind(kind)) return refuse({ kind: "support.kind-missing" });
  const words = readTicketWords(asked.words, TICKET_WORDS_MIN);
  if (!words.ok) return words;
  const subject = await readSubject(tx, asked);
  if (!subject.ok) return subject;
  const now = app.clock.now();
  const spent = await lockSpent(tx, sellerId, addMs(now, -TICKET_DAY_MS));
  if (spent.open >= TICKETS_OPEN_MAX) return refuse({ kind: "support.too-many-open" });
  if (spent.messages >= TICKET_MESSAGES_PER_DAY_MAX) {
    return refuse({ kind: "support.too-many-words" });
  }
  const id = await insertTicket(tx, { sellerId, kind, ...subject.value }, now);
  const said = { ticketId: id, author: "seller", authorId: sellerId, words: words.value } as const;
  await addWords(tx, said, now);
  await tellDesk(tx, { id, seller_id: sellerId }, now);
  return ok(id);
}

/** What is another's is as what does not exist. */
async function readSubject(tx: Db, asked: TicketAsked): Promise<Result<Subject, SupportRefusal>> {
  const { sellerId } = asked;
  const orderId = readId(asked.order);
  const withdrawalId = readId(asked.withdrawal);
  const missing =
    orderId === undefined ||
    withdrawalId === undefined ||
    (orderId !== null && withdrawalId !== null) ||
    (orderId !== null && !(await ownsOrder(tx, sellerId, orderId))) ||
    (withdrawalId !== null && !(await ownsWithdrawal(tx, sellerId, withdrawalId)));
  return missing ? refuse({ kind: "support.subject-not-found" }) : ok({ orderId, withdrawalId });
}

/** Null: none is named; undefined: no id. */
function readId(raw: unknown): bigint | null | undefined {
  if (raw === undefined || raw === null || raw === "") return null;
  const text = typeof raw === "number" || typeof raw === "string" ? String(raw) : "";
  return /^\d{1,18}$/.test(text) ? BigInt(text) : undefined;
}

type TicketStep = {
  readonly id: bigint;
  readonly sellerId: bigint;
  readonly words: unknown;
};

type Outcome = Promise<Result<null, SupportRefusal>>;
const NOT_FOUND = { kind: "support.ticket-not-found" } as const;

/** He says more; what was answered or closed waits for the desk again. */
export async function writeIn(app: App, tx: Db, step: TicketStep): Outcome {
  const { id, sellerId } = step;
  const now = app.clock.now();
  // Before the ticket, as when one is opened.
  const spent = await lockSpent(tx, sellerId, addMs(now, -TICKET_DAY_MS));
  const ticket = await lockTicket(tx, id);
  if (ticket?.seller_id !== sellerId) return refuse(NOT_FOUND);
  const words = readTicketWords(step.words, TICKET_REPLY_MIN);
  if (!words.ok) return words;
  if (ticket.status === "closed" && spent.open >= TICKETS_OPEN_MAX) {
    return refuse({ kind: "support.too-many-open" });
  }
  if (spent.messages >= TICKET_MESSAGES_PER_DAY_MAX) {
    return refuse({ kind: "support.too-many-words" });
  }
  const said = { ticketId: id, author: "seller", authorId: sellerId, words: words.value } as const;
  await addWords(tx, said, now);
  await awaitDesk(tx, id, now);
  await markSeen(tx, id);
  await tellDesk(tx, ticket, now);
  return ok(null);
}

/** It is solved, he says; once closed it stays so, whoever says it again. */
export async function closeIn(app: App, tx: Db, { id, sellerId }: TicketStep): Outcome {
  const ticket = await lockTicket(tx, id);
  if (ticket?.seller_id !== sellerId) return refuse(NOT_FOUND);
  if (ticket.status === "closed") return ok(null);
  await markClosed(tx, id, app.clock.now());
  await markSeen(tx, id);
  await ticketChanged(tx, ticket);
  return ok(null);
}

/** He has seen what the desk said. */
export async function readIn(_app: App, tx: Db, { id, sellerId }: TicketStep): Outcome {
  const ticket = await lockTicket(tx, id);
  if (ticket?.seller_id !== sellerId) return refuse(NOT_FOUND);
  await markSeen(tx, id);
  return ok(null);
}
