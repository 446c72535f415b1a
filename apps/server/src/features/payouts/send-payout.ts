import { describePayout, tryAgainAfterMs } from "@sesame/contract/payouts";
import { addMs, Outage, type Result } from "@sesame/kernel";
import type { PayoutAnswer, PayoutProvider, PayoutRefusal, PayoutRequest } from "@sesame/providers";
import { type App, perApp } from "../../app.ts";
import {
  beginSending,
  type DuePayout,
  type Held,
  moveOn,
  noteRefusedAgain,
  postpone,
} from "./claim.store.ts";
import { refusePayout, takeAnswer, worryAboutDelay } from "./outcomes.ts";
import { tellDesk } from "./settle.ts";

/** The same for ever: a second telling is of the same payout to the last word. */
function requestOf(app: App, payout: DuePayout): PayoutRequest {
  const { first_name: firstName, last_name: lastName } = payout;
  return {
    reference: payout.reference,
    withdrawalId: String(payout.withdrawal_id),
    amount: payout.amount,
    method: payout.method,
    phone: payout.phone,
    description: describePayout(payout.withdrawal_reference),
    recipient: {
      firstName,
      lastName: lastName ?? firstName,
      email: `${payout.seller_id}@${new URL(app.config.publicUrl).hostname}`,
    },
    callbackUrl: `${app.config.publicUrl}/webhooks/${payout.lane}`,
  };
}

/**
 * The way of a payout to the provider: `ready` → `prepared` → `sending` → `sent`. Each step is
 * written before the next call, so that whoever dies leaves a row which says what may have happened:
 * up to `prepared` no money can have moved; from `sending` on only the provider knows.
 */

/** Answers that could not be written: they hold ids nobody says twice. */
export const unwrittenOf = perApp(() => new Map<bigint, PayoutAnswer>());

/** A worker holds a payout this long: longer than any provider's call may take. */
export const LEASE_MS = 120_000;
const FROZEN_WAIT_MS = 60_000;
const UNCERTAIN_WAIT_MS = 10_000;

export type Errand = { readonly payout: DuePayout; readonly lease: Date };

/** One that was not told to the provider yet: as far as it goes. */
export async function sendPayout(
  app: App,
  provider: PayoutProvider | undefined,
  errand: Errand,
): Promise<void> {
  const { payout, lease } = errand;
  const now = app.clock.now();
  const held: Held = { id: payout.id, lease };
  await worryAboutDelay(app.db, payout, now);
  if (payout.frozen) return postpone(app.db, held, addMs(now, FROZEN_WAIT_MS));
  // Closed since it was approved: it waits for its keys, or for an agent.
  if (!provider) return postpone(app.db, held, addMs(now, tryAgainAfterMs(payout.checks)));
  if (payout.status === "prepared") {
    return submit(app, provider, { ...errand, handle: payout.handle, first: true });
  }
  const prepared = await prepare(app, provider, errand);
  if (prepared) await submit(app, provider, { ...errand, ...prepared, first: true });
}

/** → what to submit; null when it went no further. Moves no money, so it may be tried again. */
async function prepare(
  app: App,
  provider: PayoutProvider,
  { payout, lease }: Errand,
): Promise<{ lease: Date; handle: string | null } | null> {
  const { db, clock } = app;
  const held: Held = { id: payout.id, lease };
  const again = async (afterMs: number) => {
    await postpone(db, held, addMs(clock.now(), afterMs));
    return null;
  };
  let prepared: Awaited<ReturnType<PayoutProvider["prepare"]>>;
  try {
    prepared = await provider.prepare(requestOf(app, payout));
  } catch (error) {
    warn(app, payout, error);
    return again(waitAfter(error, tryAgainAfterMs(payout.checks)));
  }
  if (!prepared.ok) {
    const { refusal } = prepared;
    if (refusal.kind === "busy") return again(refusal.retryAfterMs);
    await refusePayout(app, { payout, held, refusal, from: "ready" });
    return null;
  }
  const now = clock.now();
  const next = addMs(now, LEASE_MS);
  const { handle } = prepared.value;
  const move = { from: "ready", to: "prepared", now, checkAt: next, handle } as const;
  return (await moveOn(db, held, move)) ? { lease: next, handle } : null;
}

export type Submission = Errand & { readonly handle: string | null; readonly first: boolean };

/** Tells the provider to send, once `sending` is written; `first` is false for a second telling. */
export async function submit(
  app: App,
  provider: PayoutProvider,
  { payout, lease, handle, first }: Submission,
): Promise<void> {
  const { db, clock } = app;
  const now = clock.now();
  const sending = addMs(now, LEASE_MS);
  const from = first ? (["prepared"] as const) : (["uncertain", "sent"] as const);
  const began = await beginSending(
    db,
    { id: payout.id, lease },
    { from, now, lease: sending, first },
  );
  // Frozen, taken over by an agent, or another worker's meanwhile.
  if (!began) return postpone(db, { id: payout.id, lease }, addMs(now, FROZEN_WAIT_MS));
  const held: Held = { id: payout.id, lease: sending };
  const answer = await tell(app, provider, { request: requestOf(app, payout), handle, payout });
  if (answer === null) return leaveUncertain(app, payout, { held });
  if (answer.ok) return keepAnswer(app, payout, answer.value);
  await takeRefusal(app, { payout, held, refusal: answer.refusal, first });
}

type Telling = { request: PayoutRequest; handle: string | null; payout: DuePayout };

/** Null: nobody knows whether it was heard. A bug of ours in reading the answer is that too. */
async function tell(
  app: App,
  provider: PayoutProvider,
  { request, handle, payout }: Telling,
): Promise<Result<PayoutAnswer, PayoutRefusal> | null> {
  try {
    return await provider.submit(request, handle);
  } catch (error) {
    warn(app, payout, error);
    return null;
  }
}

/** Nobody knows whether it was told, now or by whoever died at it: only a look-up may say. */
export async function leaveUncertain(
  app: App,
  payout: DuePayout,
  left: { held: Held; details?: string; checkAt?: Date },
): Promise<void> {
  const now = app.clock.now();
  const { held, details = null, checkAt = addMs(now, UNCERTAIN_WAIT_MS) } = left;
  await app.db.transaction().execute(async (tx) => {
    const move = { from: "sending", to: "uncertain", now, checkAt, details } as const;
    if (!(await moveOn(tx, held, move))) return;
    await tellDesk(tx, payout.withdrawal_id);
  });
}

/** Moneroo tells its id here and nowhere else: it is kept until the database takes it. */
async function keepAnswer(app: App, payout: DuePayout, answer: PayoutAnswer): Promise<void> {
  unwrittenOf(app).set(payout.id, answer);
  await takeAnswer(app.db, payout.id, { answer, now: app.clock.now() });
  unwrittenOf(app).delete(payout.id);
}

type Refused = {
  payout: DuePayout;
  held: Held;
  refusal: PayoutRefusal;
  first: boolean;
};

async function takeRefusal(app: App, refused: Refused): Promise<void> {
  const { payout, held, refusal, first } = refused;
  const now = app.clock.now();
  if (refusal.kind === "busy") {
    const checkAt = addMs(now, refusal.retryAfterMs);
    const to = first ? "prepared" : "uncertain";
    await moveOn(app.db, held, { from: "sending", to, now, checkAt, details: "busy" });
    return;
  }
  if (first) return refusePayout(app, { payout, held, refusal, from: "sending" });
  const failure = refusal.kind === "request" ? (refusal.message ?? "request") : refusal.kind;
  const checkAt = addMs(now, UNCERTAIN_WAIT_MS);
  await noteRefusedAgain(app.db, held, { failure, now, checkAt });
}

/** What an outage asked for, when it is longer. */
export function waitAfter(error: unknown, waitMs: number): number {
  return error instanceof Outage ? Math.max(waitMs, error.retryAfterMs ?? 0) : waitMs;
}

export function warn({ log }: App, payout: string | { id: bigint }, error: unknown): void {
  const named = typeof payout === "string" ? payout : String(payout.id);
  if (!(error instanceof Outage)) {
    log.error({ err: error, payout: named }, "a payout met a bug");
    return;
  }
  const { party, message } = error;
  log.warn({ party, message, payout: named }, "a payout met silence");
}
