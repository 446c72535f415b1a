import {
  CLAIM_SELLER_MS,
  CLAIM_WITHIN_MS,
  type ClaimKind,
  type ClaimsRefusal,
  claimKindsOf,
  isClaimKind,
  readClaimWords,
  UNCONFIRMED_PER_DAY_MAX,
  UNCONFIRMED_WINDOW_MS,
} from "@sesame/contract/claims";
import { addMs, assert, HOUR_MS, ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import type { Db } from "../../postgres/database.ts";
import { openedForSeller } from "./messages.fr.ts";
import {
  addEntry,
  askAtOnce,
  insertClaim,
  lockClaim,
  lockUnconfirmed,
  raisePaidNotConfirmed,
} from "./claim.store.ts";
import { type ClaimableRow, findClaimable } from "./claim.view.ts";
import { announce, toOperators, toSeller } from "./tell.ts";

export type ClaimAsked = {
  readonly orderId: bigint;
  readonly buyerId: bigint;
  readonly kind: unknown;
  readonly words: unknown;
};

/** A provider given up is asked for this long more. */
const ASKED_AGAIN_MS = HOUR_MS;

/** A buyer says that something is wrong with what he bought. → the claim's id */
export async function openClaimIn(
  app: App,
  tx: Db,
  asked: ClaimAsked,
): Promise<Result<bigint, ClaimsRefusal>> {
  const now = app.clock.now();
  const order = await findClaimable(tx, asked.orderId);
  if (order?.buyerId !== asked.buyerId || order.kind === "trial") {
    return refuse({ kind: "claims.order-not-found" });
  }
  const { kind } = asked;
  if (!isClaimKind(kind)) return refuse({ kind: "claims.kind-missing" });
  const words = readClaimWords(asked.words, false);
  if (!words.ok) return words;
  const forbidden = judge(order, kind, now);
  if (forbidden) return refuse(forbidden);
  const tooMany = kind === "paid-not-confirmed" ? await judgeCount(tx, asked.buyerId, now) : null;
  if (tooMany) return refuse(tooMany);
  const { sellerId } = order;
  const forSeller = sellerId !== null && kind !== "paid-not-confirmed";
  const claim = { orderId: order.orderId, buyerId: order.buyerId, sellerId, kind } as const;
  const dueAt = forSeller ? addMs(now, CLAIM_SELLER_MS) : now;
  const status = forSeller ? "seller" : "operator";
  const id = await insertClaim(tx, { ...claim, status, dueAt }, now);
  if (id === null) return refuse({ kind: "claims.open-already" });
  const entry = { claimId: id, author: "buyer", authorId: asked.buyerId } as const;
  await addEntry(tx, { ...entry, step: "opened", words: words.value }, now);
  if (kind === "paid-not-confirmed") {
    await askAtOnce(tx, order.orderId, { now, giveUpAt: addMs(now, ASKED_AGAIN_MS) });
    await raisePaidNotConfirmed(tx, { id, orderId: order.orderId }, now);
  }
  await tellOpened(app, tx, { id, forSeller, words: words.value });
  return ok(id);
}

async function judgeCount(tx: Db, buyerId: bigint, now: Date): Promise<ClaimsRefusal | null> {
  const since = addMs(now, -UNCONFIRMED_WINDOW_MS);
  const full = await lockUnconfirmed(tx, { buyerId, since, max: UNCONFIRMED_PER_DAY_MAX });
  if (!full) return null;
  const waitMs = addMs(full, UNCONFIRMED_WINDOW_MS).getTime() - now.getTime();
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return { kind: "claims.too-many-today", retryAfterSeconds };
}

/** Operators hear of a payment that is not confirmed from the sweep, which groups them. */
async function tellOpened(
  app: App,
  tx: Db,
  { id, forSeller, words }: { id: bigint; forSeller: boolean; words: string | null },
): Promise<void> {
  const now = app.clock.now();
  const claim = await lockClaim(tx, id);
  assert(claim, "a claim that was written is there");
  const due = { at: claim.seller_due_at, sayInstant: app.sayInstant };
  const tellings = forSeller
    ? toSeller(app, claim, openedForSeller(claim, words, due))
    : await toOperators(app, tx, { claim, why: "opened", words });
  const grouped = claim.kind === "paid-not-confirmed";
  await announce(tx, claim, { tellings: grouped ? [] : tellings, now });
}

function judge(order: ClaimableRow, kind: ClaimKind, now: Date): ClaimsRefusal | null {
  if (order.status === "refunded") return { kind: "claims.order-refunded" };
  if (order.claimOpen) return { kind: "claims.open-already" };
  const end = order.accessUntil ?? order.createdAt;
  if (now.getTime() - end.getTime() > CLAIM_WITHIN_MS) return { kind: "claims.too-late" };
  const others = { ...order, claims: 0, rejections: 0 };
  if (!claimKindsOf(others, now).includes(kind)) return { kind: "claims.not-for-order" };
  return claimKindsOf(order, now).includes(kind) ? null : { kind: "claims.too-many" };
}
