import * as texts from "./messages.fr.ts";
import * as contract from "@sesame/contract/cases";
import type { OrderKind, OrderStatus } from "@sesame/contract/checkout";
import { readReason } from "@sesame/contract/treasury";
import type { RefundsRefusal } from "@sesame/contract/refunds";
import { assert, ok, type Result, refuse } from "@sesame/kernel";
import { sql } from "kysely";
import { resolveAlerts } from "../../alerts/alerts.ts";
import type { App } from "../../app.ts";
import { actorOf, audit } from "../../audit/audit.store.ts";
import { type Html, type Notification, notify, type Said, toPerson } from "../../bot/message.ts";
import { type Asked, once } from "../../http/on.ts";
import type { Principal } from "../../http/server.ts";
import { type Db, maybe, one } from "../../postgres/database.ts";
import { staffChanged, publish } from "../../realtime/events.store.ts";
import { listStaffInTouch } from "../../people/people.ts";

const { BUTTONS } = texts;

export const NOT_FOUND = refuse({ kind: "complaints.not-found" });

export type ComplaintAuthor = "buyer" | "seller" | "operator" | "system";

export type LockedComplaint = {
  readonly id: bigint;
  readonly order_id: bigint;
  readonly buyer_id: bigint;
  readonly seller_id: bigint | null;
  readonly kind: contract.ComplaintKind;
  readonly status: contract.ComplaintStatus;
  readonly seller_due_at: Date;
  readonly title: string;
  readonly order_kind: OrderKind;
  readonly order_status: OrderStatus;
};

function find(db: Db, id: bigint, lock = sql``): Promise<LockedComplaint | null> {
  return maybe<LockedComplaint>(db)`
    SELECT c.id, c.order_id, c.buyer_id, c.seller_id, c.kind, c.status, c.seller_due_at, o.title,
      o.kind AS order_kind, o.status AS order_status
    FROM complaints c JOIN orders o ON o.id = c.order_id
    WHERE c.id = ${id} ${lock}
  `;
}

/** Waits for other answers and decisions: locked before its order. */
const lockComplaint = (tx: Db, id: bigint) => find(tx, id, sql`FOR NO KEY UPDATE OF c`);

/** A complaint that this transaction has written or locked. */
export async function lockKnown(tx: Db, id: bigint): Promise<LockedComplaint> {
  const complaint = await lockComplaint(tx, id);
  assert(complaint, "a complaint that was written is there");
  return complaint;
}

/** Locks the open complaint of an order, before the order. → its id. */
export async function lockOpenIn(tx: Db, orderId: bigint): Promise<bigint | null> {
  const complaint = await maybe<{ id: bigint }>(tx)`
    SELECT id FROM complaints WHERE order_id = ${orderId} AND closed_at IS NULL FOR NO KEY UPDATE
  `;
  return complaint?.id ?? null;
}

/** A plan's buyer is a seller, and is notified by the sellers' bot. */
export function toBuyer(app: App, complaint: LockedComplaint, text: Html): Notification {
  const said = { text, button: BUTTONS.complaint, path: `/commande/${complaint.order_id}` };
  const bot = complaint.order_kind === "plan" ? "seller" : "buyer";
  return toPerson(app, complaint.buyer_id, said, bot);
}

export function toSeller(app: App, { id, seller_id: sellerId }: LockedComplaint, text: Html) {
  if (sellerId === null) return [];
  const said = { text, button: BUTTONS.complaint, path: `/reclamations/${id}` };
  return [toPerson(app, sellerId, said)];
}

/** To every operator whom the bot may write to: a complaint now needs an operator, or several do. */
export function toOperators(app: App, tx: Db, text: Html, complaint: LockedComplaint | null) {
  return toStaff(app, tx, app.config.operatorTelegramIds, {
    text,
    button: complaint ? BUTTONS.complaint : BUTTONS.complaints,
    path: complaint ? `/bureau/reclamations/${complaint.id}` : "/bureau/reclamations",
  });
}

/** Sends messages, and events that make screens reload. */
export async function announce(
  tx: Db,
  complaint: LockedComplaint,
  { notifications, now }: { notifications: readonly Notification[]; now: Date },
): Promise<void> {
  await notify(tx, notifications, now);
  const { id, order_id: orderId, buyer_id: buyerId, seller_id: sellerId } = complaint;
  const parties = [`person:${buyerId}`, ...(sellerId === null ? [] : [`person:${sellerId}`])];
  const changed = { id: String(id), order_id: String(orderId) };
  const order = { id: String(orderId), status: complaint.order_status };
  await publish(tx, [
    { room: parties, name: "complaint:changed", body: changed },
    { room: [`person:${buyerId}`, `order:${orderId}`], name: "payment:status", body: order },
    staffChanged("complaint", id),
  ]);
}

export const SYSTEM = { as: "system", id: null } as const;

type Closed = Exclude<contract.ComplaintStatus, "seller" | "operator">;

/** Records a step of a complaint: a line of its record, its end, messages and events. */
export async function note(
  tx: Db,
  complaint: LockedComplaint,
  happened: {
    readonly by: { readonly as: ComplaintAuthor; readonly id: bigint | null };
    readonly step: contract.ComplaintStep;
    readonly words?: string | null;
    readonly closes?: Closed;
    readonly notifications?: readonly Notification[];
    readonly now: Date;
  },
): Promise<void> {
  const { by, step, words = null, closes, notifications = [], now } = happened;
  await sql`
    INSERT INTO complaint_entries (complaint_id, author, author_id, step, words, at)
    VALUES (${complaint.id}, ${by.as}, ${by.id}, ${step}, ${words}, ${now})
  `.execute(tx);
  if (closes) await closeComplaint(tx, { id: complaint.id, as: closes, now });
  await announce(tx, complaint, { notifications, now });
}

async function closeComplaint(tx: Db, closed: { id: bigint; as: Closed; now: Date }) {
  await sql`
    UPDATE complaints SET status = ${closed.as}, closed_at = ${closed.now} WHERE id = ${closed.id}
  `.execute(tx);
  // An alert groups a day's complaints and is resolved with the last one; those of 0.1.0 had one each.
  const subjects = sql<string[]>`(
    SELECT array['complaint:' || c.id, CASE WHEN NOT EXISTS (SELECT FROM complaints other
        WHERE other.kind = 'paid-not-confirmed' AND other.closed_at IS NULL
          AND (other.opened_at AT TIME ZONE 'UTC')::date = (c.opened_at AT TIME ZONE 'UTC')::date)
      THEN 'complaints:' || to_char(c.opened_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') END]
    FROM complaints c WHERE c.id = ${closed.id} AND c.kind = 'paid-not-confirmed'
  )`;
  await resolveAlerts(tx, { kinds: ["complaint.paid-not-confirmed"], subjects, now: closed.now });
}

/** What a party may do: write, pass it to the operator, withdraw it. */
type PartyStep = "said" | "contested" | "withdrawn";
const ONLY_BY: Partial<Record<PartyStep, ComplaintAuthor>> = {
  contested: "seller",
  withdrawn: "buyer",
};

/** Messages of one party in one complaint. */
const MESSAGES_MAX = 30;

/** Notifies the other party; of a contested complaint, the operators too. */
export async function takeComplaintStep(
  app: App,
  tx: Db,
  { step, ...asked }: Step & { readonly step: PartyStep },
) {
  const { personId } = asked.caller;
  const complaint = await lockComplaint(tx, asked.id);
  const isBuyer = complaint?.buyer_id === personId;
  if (!complaint || (!isBuyer && complaint.seller_id !== personId)) return NOT_FOUND;
  const by = { as: isBuyer ? "buyer" : "seller", id: personId } as const;
  if ((ONLY_BY[step] ?? by.as) !== by.as) return NOT_FOUND;
  const said = contract.readComplaintWords(asked.words, step !== "withdrawn");
  if (!said.ok) return said;
  if (complaint.status !== "seller" && complaint.status !== "operator") {
    return refuse({ kind: "complaints.closed" });
  }
  const now = app.clock.now();
  const words = said.value ?? "";
  const happened = { by, step, words: said.value, now };
  if (step === "withdrawn") {
    const notifications = toSeller(app, complaint, texts.withdrawn(complaint));
    await note(tx, complaint, { ...happened, closes: "withdrawn", notifications });
  } else if (step === "contested") {
    if (complaint.status === "operator") return refuse({ kind: "complaints.with-operator" });
    await sql`UPDATE complaints SET status = 'operator' WHERE id = ${complaint.id}`.execute(tx);
    const buyer = toBuyer(app, complaint, texts.contestedForBuyer(complaint, words));
    const text = texts.forOperator(complaint, "contested", words);
    const operators = await toOperators(app, tx, text, complaint);
    await note(tx, complaint, { ...happened, notifications: [buyer, ...operators] });
  } else {
    const { count } = await one<{ count: number }>(tx)`
      SELECT count(*)::int AS count FROM complaint_entries
      WHERE complaint_id = ${complaint.id} AND author = ${by.as} AND step = 'said'
    `;
    if (count >= MESSAGES_MAX) return refuse({ kind: "complaints.too-many-words" });
    const text = texts.complaintAnswered(complaint, words);
    const notifications = isBuyer
      ? toSeller(app, complaint, text)
      : [toBuyer(app, complaint, text)];
    await note(tx, complaint, { ...happened, notifications });
  }
  return ok(null);
}

/** How refunds give an order back, which closes its complaint: first a check, then the refund. */
export type GiveBack = (
  orderId: bigint,
) => Promise<
  (tx: Db, by: { personId: bigint; reason: string }) => Promise<Result<unknown, RefundsRefusal>>
>;

/** The operator refunds the order, or refuses with a reason: buyer and seller read it. */
export async function decide(
  app: App,
  { params: { id }, body, caller, call }: Asked<typeof contract.decideComplaint>,
  lookAt: GiveBack,
) {
  const { personId } = caller;
  const decision = body?.decision;
  const known = await find(app.db, id);
  if (!known) return NOT_FOUND;
  if (known.buyer_id === personId || known.seller_id === personId) {
    return refuse({ kind: "complaints.own-case" });
  }
  if (decision !== "refund" && decision !== "reject") {
    return refuse({ kind: "complaints.decision-missing" });
  }
  const words = readReason(body?.reason);
  if (!words.ok) return words;
  const reason = words.value;
  const giveBack = decision === "refund" ? await lookAt(known.order_id) : null;
  const now = app.clock.now();
  return once(app, call, async (tx) => {
    const complaint = await lockComplaint(tx, id);
    if (!complaint) return NOT_FOUND;
    if (complaint.status === "seller") return refuse({ kind: "complaints.with-seller" });
    if (complaint.status !== "operator") return refuse({ kind: "complaints.closed" });
    if (!giveBack) {
      const text = texts.rejected(complaint, reason);
      await note(tx, complaint, {
        by: { as: "operator", id: personId },
        step: "rejected",
        words: reason,
        closes: "rejected",
        notifications: [toBuyer(app, complaint, text), ...toSeller(app, complaint, text)],
        now: app.clock.now(),
      });
    } else {
      const begun = await giveBack(tx, { personId, reason });
      if (!begun.ok) return begun;
    }
    const auditEntry = { action: `complaint.${decision}`, subject: `complaint:${id}`, reason };
    const before = { status: complaint.status, order_id: complaint.order_id };
    await audit(tx, { ...auditEntry, actor: actorOf(caller), before }, now);
    return ok<"refund" | "reject">(decision);
  });
}

/** Called by refunds, which notify everybody: the refund has begun, which closes the complaint. */
export async function noteRefundedIn(
  tx: Db,
  complaintId: bigint,
  said: { by: { as: "seller" | "operator"; id: bigint }; words: string; now: Date },
): Promise<void> {
  const step = { step: "refund-begun", closes: "refunded" } as const;
  await note(tx, await lockKnown(tx, complaintId), { ...said, ...step });
}

/** Called by refunds, which notify everybody: the buyer has the money. */
export async function noteGivenBackIn(tx: Db, complaintId: bigint, now: Date): Promise<void> {
  await note(tx, await lockKnown(tx, complaintId), { by: SYSTEM, step: "refunded", now });
}

/** Deletes what a person wrote in complaints, as buyer or seller. */
export async function eraseWords(tx: Db, id: bigint): Promise<void> {
  await sql`
    UPDATE complaint_entries e SET words = NULL FROM complaints c
    WHERE c.id = e.complaint_id AND (c.buyer_id = ${id} OR c.seller_id = ${id})
      AND e.author_id = ${id} AND e.words IS NOT NULL
  `.execute(tx);
}

/** An action on a case; the texts are checked where they are needed. */
export type Step = { readonly id: bigint; readonly caller: Principal; readonly words: unknown };

/** To those agents and operators to whom the bot may write. */
export async function toStaff(app: App, tx: Db, telegramIds: Iterable<bigint>, said: Said) {
  const staff = await listStaffInTouch(tx, telegramIds);
  return staff.map(({ id }) => toPerson(app, id, said));
}
