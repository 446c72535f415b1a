import {
  lookAfterMs,
  PAYOUT_ALERT_MS,
  PAYOUT_FAILED_REASON,
  PAYOUT_REFUSED_REASON,
  PAYOUT_SLOW_MS,
  type PayoutStatus,
} from "@sesame/contract/payouts";
import { addMs, MINUTE_MS } from "@sesame/kernel";
import type { PayoutAnswer, PayoutRefusal } from "@sesame/providers";
import type { App } from "../../app.ts";
import type { Db } from "../../postgres/database.ts";
import { type PayoutAlert, raiseAlert } from "./alert.store.ts";
import { type DuePayout, type Held, isHeld, noteTaken } from "./claim.store.ts";
import { lockPayout, noteAnswer } from "./payout.store.ts";
import { settleFailed } from "./settle.ts";

/**
 * The provider took it. Its answer settles nothing, even when it says the end: the payout is then
 * looked up at once, and what is looked up is compared.
 */
export async function takeAnswer(
  db: Db,
  payoutId: bigint,
  { answer, now }: { answer: PayoutAnswer; now: Date },
): Promise<void> {
  const ended = answer.verdict === "succeeded" || answer.verdict === "failed";
  const checkAt = ended ? now : addMs(now, lookAfterMs(0));
  await db.transaction().execute(async (tx) => {
    await noteAnswer(tx, payoutId, answer);
    await noteTaken(tx, payoutId, { now, checkAt, word: answer.word });
  });
}

type Refused = {
  readonly payout: DuePayout;
  readonly held: Held;
  readonly refusal: Exclude<PayoutRefusal, { kind: "busy" }>;
  readonly from: PayoutStatus;
};

/** An explicit no before any money moved: the francs go back, unless the payout is no longer ours. */
export async function refusePayout(
  app: App,
  { payout, held, refusal, from }: Refused,
): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const locked = await lockPayout(tx, payout.id);
    if (locked.status !== from || !(await isHeld(tx, held))) return;
    const failure = refusal.kind === "request" ? refusal.message : refusal.kind;
    const reason = refusal.kind === "request" ? PAYOUT_REFUSED_REASON : PAYOUT_FAILED_REASON;
    await settleFailed(tx, { payout: locked, failure: { failure, reason }, now });
    const { lane } = payout;
    const details = { lane, method: payout.method, amount: String(payout.amount) };
    if (refusal.kind === "float") {
      await raiseAlert(tx, { kind: "payout.float-short", subject: lane, details, now });
    }
    if (refusal.kind === "keys") {
      const subject = `payout:${lane}`;
      await raiseAlert(tx, { kind: "provider.keys-refused", subject, details: { lane }, now });
    }
  });
}

type Worry = Pick<
  DuePayout,
  "id" | "lane" | "status" | "withdrawal_id" | "amount" | "created_at" | "submitted_at"
>;

/** What a clock that ran ahead has written is as old as anything. */
const isWithin = (since: Date, patienceMs: number, now: Date) =>
  addMs(since, patienceMs) > now && since <= addMs(now, MINUTE_MS);

/** Approved for ten minutes and not sent: frozen, or the provider silent or closed. */
export async function worryAboutDelay(db: Db, payout: Worry, now: Date): Promise<void> {
  if (isWithin(payout.created_at, PAYOUT_ALERT_MS, now)) return;
  await worry(db, payout, { kind: "payout.delayed", now });
}

/** Told to send, and no end known: for ten minutes when nobody answered, for a day when they did. */
export async function worryAboutEnd(db: Db, payout: Worry, now: Date): Promise<void> {
  const since = payout.submitted_at ?? payout.created_at;
  const uncertain = payout.status === "uncertain" || payout.status === "sending";
  const patienceMs = uncertain ? PAYOUT_ALERT_MS : PAYOUT_SLOW_MS;
  if (isWithin(since, patienceMs, now)) return;
  await worry(db, payout, { kind: uncertain ? "payout.uncertain" : "payout.slow", now });
}

async function worry(
  db: Db,
  payout: Worry,
  { kind, now }: { kind: PayoutAlert; now: Date },
): Promise<void> {
  await raiseAlert(db, {
    kind,
    subject: `payout:${payout.id}`,
    details: {
      withdrawal_id: String(payout.withdrawal_id),
      lane: payout.lane,
      amount: String(payout.amount),
      status: payout.status,
    },
    now,
  });
}
