import { readTicketWords, type SupportRefusal, TICKET_REPLY_MIN } from "@sesame/contract/support";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { actorOf, audit } from "../../audit/audit.store.ts";
import type { Principal } from "../../http/principal.ts";
import type { Db } from "../../postgres/database.ts";
import { answered, BUTTONS, closed } from "./messages.fr.ts";
import { tellAnswer, tellSeller } from "./tell.ts";
import {
  addWords,
  awaitSeller,
  markClosed,
  type LockedTicket,
  lockTicket,
} from "./ticket.store.ts";

type DeskStep = {
  readonly id: bigint;
  readonly caller: Principal;
  readonly words: unknown;
};

type Outcome = Promise<Result<null, SupportRefusal>>;

async function lockForDesk(
  tx: Db,
  { id, caller }: DeskStep,
): Promise<Result<LockedTicket, SupportRefusal>> {
  const ticket = await lockTicket(tx, id);
  if (!ticket) return refuse({ kind: "support.ticket-not-found" });
  if (ticket.seller_id === caller.personId) return refuse({ kind: "support.own-ticket" });
  return ok(ticket);
}

/** An agent answers: the seller hears it at once. A closed ticket is opened by it. */
export async function answerTicketIn(app: App, tx: Db, step: DeskStep): Outcome {
  const found = await lockForDesk(tx, step);
  if (!found.ok) return found;
  const words = readTicketWords(step.words, TICKET_REPLY_MIN);
  if (!words.ok) return words;
  const ticket = found.value;
  const now = app.clock.now();
  const { personId } = step.caller;
  const said = { ticketId: ticket.id, author: "desk", authorId: personId } as const;
  await addWords(tx, { ...said, words: words.value }, now);
  await awaitSeller(tx, ticket.id, now);
  const text = answered(ticket.kind, words.value);
  await tellAnswer(app, tx, { ticket, words: words.value, text });
  await auditStep(app, tx, { ticket, step, action: "ticket.answer" });
  return ok(null);
}

/** Closed once is closed: the second who says it changes nothing. */
export async function closeTicketIn(app: App, tx: Db, step: DeskStep): Outcome {
  const found = await lockForDesk(tx, step);
  if (!found.ok) return found;
  const ticket = found.value;
  if (ticket.status === "closed") return ok(null);
  await markClosed(tx, ticket.id, app.clock.now());
  await tellSeller(app, tx, { ticket, text: closed(ticket.kind), button: BUTTONS.see });
  await auditStep(app, tx, { ticket, step, action: "ticket.close" });
  return ok(null);
}

/** Ids alone: words may be erased one day, the log never (decision 101). */
async function auditStep(
  { clock }: App,
  tx: Db,
  { ticket, step, action }: { ticket: LockedTicket; step: DeskStep; action: string },
): Promise<void> {
  const deed = { actor: actorOf(step.caller), action, subject: `ticket:${ticket.id}` };
  const before = { status: ticket.status, seller: String(ticket.seller_id) };
  await audit(tx, { ...deed, before }, clock.now());
}
