import * as texts from "./messages.fr.ts";
import {
  type ClaimKind,
  type ClaimStatus,
  type ClaimStep,
  type ClaimsRefusal,
  readClaimWords,
} from "@sesame/contract/cases";
import type { OrderKind, OrderStatus } from "@sesame/contract/checkout";
import { type DeskRefusal, readReason } from "@sesame/contract/treasury";
import type { RefundsRefusal } from "@sesame/contract/refunds";
import { assert, ok, type Result, refuse } from "@sesame/kernel";
import { sql } from "kysely";
import { resolveAlerts } from "../../alerts/alerts.ts";
import type { App } from "../../app.ts";
import { actorOf, audit } from "../../audit/audit.store.ts";
import { type Html, type Telling, tell } from "../../bot/message.ts";
import { type IdempotentCall, once } from "../../http/on.ts";
import type { Principal } from "../../http/server.ts";
import { type Db, maybe, one } from "../../postgres/database.ts";
import { deskChanged, publish } from "../../realtime/events.store.ts";
import type { BotName } from "../../bot/gateway.ts";
import { listStaffInTouch } from "../../people/people.ts";

const { BUTTONS } = texts;

export const NOT_FOUND = refuse({ kind: "claims.not-found" } as const);

export type ClaimAuthor = "buyer" | "seller" | "operator" | "system";

export type LockedClaim = {
  readonly id: bigint;
  readonly order_id: bigint;
  readonly buyer_id: bigint;
  readonly seller_id: bigint | null;
  readonly kind: ClaimKind;
  readonly status: ClaimStatus;
  readonly seller_due_at: Date;
  readonly title: string;
  readonly order_kind: OrderKind;
  readonly order_status: OrderStatus;
};

function find(db: Db, id: bigint, lock = sql``): Promise<LockedClaim | null> {
  return maybe<LockedClaim>(db)`
    SELECT c.id, c.order_id, c.buyer_id, c.seller_id, c.kind, c.status, c.seller_due_at, o.title,
      o.kind AS order_kind, o.status AS order_status
    FROM claims c JOIN orders o ON o.id = c.order_id
    WHERE c.id = ${id} ${lock}
  `;
}

/** Waits for whoever answers or decides it: before its order is locked. */
const lockClaim = (tx: Db, id: bigint) => find(tx, id, sql`FOR NO KEY UPDATE OF c`);

/** One that this transaction has written or taken. */
export async function lockKnown(tx: Db, id: bigint): Promise<LockedClaim> {
  const claim = await lockClaim(tx, id);
  assert(claim, "a claim that was written is there");
  return claim;
}

/** Locks the open claim of an order, before the order. Its id. */
export async function lockOpenIn(tx: Db, orderId: bigint): Promise<bigint | null> {
  const claim = await maybe<{ id: bigint }>(tx)`
    SELECT id FROM claims WHERE order_id = ${orderId} AND closed_at IS NULL FOR NO KEY UPDATE
  `;
  return claim?.id ?? null;
}

/** A plan's buyer is a seller: he is told by the sellers' bot. */
export function toBuyer(app: App, claim: LockedClaim, text: Html): Telling {
  const said = { text, button: BUTTONS.claim, path: `/commande/${claim.order_id}` };
  return toPerson(app, claim.buyer_id, said, claim.order_kind === "plan" ? "seller" : "buyer");
}

export function toSeller(app: App, { id, seller_id: sellerId }: LockedClaim, text: Html) {
  if (sellerId === null) return [];
  return [toPerson(app, sellerId, { text, button: BUTTONS.claim, path: `/reclamations/${id}` })];
}

/** To every operator in touch: a claim has become theirs, or several have. */
export function toOperators(
  app: App,
  tx: Db,
  { text, claim }: { text: Html; claim: LockedClaim | null },
): Promise<Telling[]> {
  return toStaff(app, tx, app.config.operatorTelegramIds, {
    text,
    button: claim ? BUTTONS.claim : BUTTONS.claims,
    path: claim ? `/bureau/reclamations/${claim.id}` : "/bureau/reclamations",
  });
}

/** Messages, and screens that look again. */
export async function announce(
  tx: Db,
  claim: LockedClaim,
  { tellings, now }: { tellings: readonly Telling[]; now: Date },
): Promise<void> {
  await tell(tx, tellings, now);
  const { id, order_id: orderId, buyer_id: buyerId, seller_id: sellerId } = claim;
  const parties = [`person:${buyerId}`, ...(sellerId === null ? [] : [`person:${sellerId}`])];
  const changed = { id: String(id), order_id: String(orderId) };
  const order = { id: String(orderId), status: claim.order_status };
  await publish(tx, [
    { room: parties, name: "claim:changed", body: changed },
    { room: [`person:${buyerId}`, `order:${orderId}`], name: "payment:status", body: order },
    deskChanged("claim", id),
  ]);
}

export const SYSTEM = { as: "system", id: null } as const;

type Closed = Exclude<ClaimStatus, "seller" | "operator">;

/** What happens to a claim: a line of its record, its end, messages, screens that look again. */
export async function note(
  tx: Db,
  claim: LockedClaim,
  happened: {
    readonly by: { readonly as: ClaimAuthor; readonly id: bigint | null };
    readonly step: ClaimStep;
    readonly words?: string | null;
    readonly closes?: Closed;
    readonly tellings?: readonly Telling[];
    readonly now: Date;
  },
): Promise<void> {
  const { by, step, words = null, closes, tellings = [], now } = happened;
  await sql`
    INSERT INTO claim_entries (claim_id, author, author_id, step, words, at)
    VALUES (${claim.id}, ${by.as}, ${by.id}, ${step}, ${words}, ${now})
  `.execute(tx);
  if (closes) await closeClaim(tx, { id: claim.id, as: closes, now });
  await announce(tx, claim, { tellings, now });
}

async function closeClaim(tx: Db, closed: { id: bigint; as: Closed; now: Date }): Promise<void> {
  await sql`
    UPDATE claims SET status = ${closed.as}, closed_at = ${closed.now} WHERE id = ${closed.id}
  `.execute(tx);
  // The alert of its day ends with the last one of that day; those of 0.1.0 had one each.
  const subjects = sql<string[]>`(
    SELECT array['claim:' || c.id, CASE WHEN NOT EXISTS (SELECT FROM claims other
        WHERE other.kind = 'paid-not-confirmed' AND other.closed_at IS NULL
          AND (other.opened_at AT TIME ZONE 'UTC')::date = (c.opened_at AT TIME ZONE 'UTC')::date)
      THEN 'claims:' || to_char(c.opened_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') END]
    FROM claims c WHERE c.id = ${closed.id} AND c.kind = 'paid-not-confirmed'
  )`;
  await resolveAlerts(tx, { kinds: ["claim.paid-not-confirmed"], subjects, now: closed.now });
}

/** What its two parties do: say something, hand it to the operator, take it back. */
type PartyStep = "said" | "contested" | "withdrawn";
const ONLY_BY: Partial<Record<PartyStep, ClaimAuthor>> = {
  contested: "seller",
  withdrawn: "buyer",
};

/** Of one party in one claim. */
const MESSAGES_MAX = 30;

/** The other party hears it; of what is contested, the operators too. */
export async function takeClaimStep(
  app: App,
  tx: Db,
  { step, ...asked }: Step & { readonly step: PartyStep },
): Promise<Result<null, ClaimsRefusal>> {
  const { personId } = asked.caller;
  const claim = await lockClaim(tx, asked.id);
  const isBuyer = claim?.buyer_id === personId;
  if (!claim || (!isBuyer && claim.seller_id !== personId)) return NOT_FOUND;
  const by = { as: isBuyer ? "buyer" : "seller", id: personId } as const;
  if ((ONLY_BY[step] ?? by.as) !== by.as) return NOT_FOUND;
  const said = readClaimWords(asked.words, step !== "withdrawn");
  if (!said.ok) return said;
  if (claim.status !== "seller" && claim.status !== "operator") {
    return refuse({ kind: "claims.closed" });
  }
  const now = app.clock.now();
  const words = said.value ?? "";
  const happened = { by, step, words: said.value, now };
  if (step === "withdrawn") {
    const tellings = toSeller(app, claim, texts.withdrawn(claim));
    await note(tx, claim, { ...happened, closes: "withdrawn", tellings });
  } else if (step === "contested") {
    if (claim.status === "operator") return refuse({ kind: "claims.with-operator" });
    await sql`UPDATE claims SET status = 'operator' WHERE id = ${claim.id}`.execute(tx);
    const buyer = toBuyer(app, claim, texts.contestedForBuyer(claim, words));
    const text = texts.forOperator(claim, "contested", words);
    const operators = await toOperators(app, tx, { text, claim });
    await note(tx, claim, { ...happened, tellings: [buyer, ...operators] });
  } else {
    const { count } = await one<{ count: number }>(tx)`
      SELECT count(*)::int AS count FROM claim_entries
      WHERE claim_id = ${claim.id} AND author = ${by.as} AND step = 'said'
    `;
    if (count >= MESSAGES_MAX) return refuse({ kind: "claims.too-many-words" });
    const text = texts.claimAnswered(claim, words);
    const tellings = isBuyer ? toSeller(app, claim, text) : [toBuyer(app, claim, text)];
    await note(tx, claim, { ...happened, tellings });
  }
  return ok(null);
}

/** How an order is given back, by refunds, which close its claim: looked at first, then asked. */
export type GiveBack = (
  orderId: bigint,
) => Promise<
  (tx: Db, by: { personId: bigint; reason: string }) => Promise<Result<unknown, RefundsRefusal>>
>;

type Deciding = {
  readonly id: bigint;
  readonly caller: Principal;
  readonly decision: unknown;
  readonly reason: unknown;
  readonly call: IdempotentCall | null;
};

/** The operator gives the money back, or says why not: buyer and seller read the reason. */
export async function decide(app: App, asked: Deciding, lookAt: GiveBack) {
  const { id, caller, decision, call } = asked;
  const { personId } = caller;
  const known = await find(app.db, id);
  if (!known) return NOT_FOUND;
  if (known.buyer_id === personId || known.seller_id === personId) {
    return refuse({ kind: "claims.own-case" } as const);
  }
  if (decision !== "refund" && decision !== "reject") {
    return refuse({ kind: "claims.decision-missing" } as const);
  }
  const words = readReason(asked.reason);
  if (!words.ok) return words;
  const reason = words.value;
  const giveBack = decision === "refund" ? await lookAt(known.order_id) : null;
  const now = app.clock.now();
  type Decided = Result<"refund" | "reject", ClaimsRefusal | DeskRefusal | RefundsRefusal>;
  return once(app, call, async (tx): Promise<Decided> => {
    const claim = await lockClaim(tx, id);
    if (!claim) return NOT_FOUND;
    if (claim.status === "seller") return refuse({ kind: "claims.with-seller" });
    if (claim.status !== "operator") return refuse({ kind: "claims.closed" });
    if (!giveBack) {
      const text = texts.rejected(claim, reason);
      await note(tx, claim, {
        by: { as: "operator", id: personId },
        step: "rejected",
        words: reason,
        closes: "rejected",
        tellings: [toBuyer(app, claim, text), ...toSeller(app, claim, text)],
        now: app.clock.now(),
      });
    } else {
      const begun = await giveBack(tx, { personId, reason });
      if (!begun.ok) return begun;
    }
    const deed = { action: `claim.${decision}`, subject: `claim:${id}`, reason };
    const before = { status: claim.status, order_id: claim.order_id };
    await audit(tx, { ...deed, actor: actorOf(caller), before }, now);
    return ok(decision);
  });
}

type Refunded = {
  readonly claimId: bigint;
  readonly as: "seller" | "operator";
  readonly by: bigint;
  readonly reason: string;
};

/** Refunds tell it, and everybody: the money goes back, which closes the claim. */
export async function noteRefundedIn(tx: Db, refunded: Refunded, now: Date): Promise<void> {
  const { claimId, as, by: id, reason: words } = refunded;
  const claim = await lockKnown(tx, claimId);
  await note(tx, claim, { by: { as, id }, step: "refund-begun", words, closes: "refunded", now });
}

/** Refunds tell it, and everybody: the buyer has his money. */
export async function noteGivenBackIn(tx: Db, claimId: bigint, now: Date): Promise<void> {
  await note(tx, await lockKnown(tx, claimId), { by: SYSTEM, step: "refunded", now });
}

/** Takes away what a person wrote in complaints, as their buyer or their seller. */
export async function eraseWords(tx: Db, id: bigint): Promise<void> {
  await sql`
    UPDATE claim_entries e SET words = NULL FROM claims c
    WHERE c.id = e.claim_id AND (c.buyer_id = ${id} OR c.seller_id = ${id})
      AND e.author_id = ${id} AND e.words IS NOT NULL
  `.execute(tx);
}

/** What somebody does to a case; the words are read where they count. */
export type Step = { readonly id: bigint; readonly caller: Principal; readonly words: unknown };

/** What a bot says of a case, and the page that its button opens. */
type Said = { readonly text: Html; readonly button: string; readonly path: string };

export function toPerson(
  { appButton }: App,
  personId: bigint,
  { text, button, path }: Said,
  bot: BotName = "seller",
): Telling {
  return { bot, personId, message: { text, buttons: [appButton(button, path)] } };
}

/** To those of these agents and operators who are in touch. */
export async function toStaff(
  app: App,
  tx: Db,
  telegramIds: Iterable<bigint>,
  said: Said,
): Promise<Telling[]> {
  const staff = await listStaffInTouch(tx, telegramIds);
  return staff.map(({ id }) => toPerson(app, id, said));
}
