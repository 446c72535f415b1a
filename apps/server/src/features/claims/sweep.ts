import {
  CLAIM_REMINDER_MS,
  SOLVED_BY_ACCESS,
  SOLVED_BY_PAYMENT,
  UNCONFIRMED_DIGEST_MS,
} from "@sesame/contract/claims";
import { addMs, assert } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { type Telling, tell } from "../../bot/tell.ts";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import type { Db } from "../../postgres/database.ts";
import * as texts from "./messages.fr.ts";
import {
  addEntry,
  closeClaim,
  findFirstWords,
  hasDueClaim,
  type LockedClaim,
  lockClaim,
  type Settled,
  takeOverdue,
  takeSettled,
  takeUnannounced,
  takeUnreminded,
} from "./claim.store.ts";
import { announce, severalToOperators, toBuyer, toOperators, toSeller } from "./tell.ts";

/** Delays here are counted in days: a third of a minute is soon. */
const EVERY_MS = 20_000;
const BATCH = 50;

/** The seller's time runs, and what happened meanwhile closes what it has answered. */
export function claimsLoops(app: App): Loop[] {
  const { clock, log } = app;
  const run = () => sweepOnce(app);
  return [createLoop({ name: "claims sweep", clock, log, everyMs: EVERY_MS, run })];
}

async function sweepOnce(app: App): Promise<boolean> {
  const now = app.clock.now();
  const dueBefore = addMs(now, CLAIM_REMINDER_MS);
  // Most looks find nothing: one statement, without a transaction.
  if (!(await hasDueClaim(app.db, { now, dueBefore }))) return false;
  const settled = await app.db.transaction().execute(async (tx) => {
    const claims = await takeSettled(tx, BATCH);
    for (const claim of claims) await closeSettled(app, tx, claim);
    return claims.length;
  });
  const overdue = await app.db.transaction().execute(async (tx) => {
    const ids = await takeOverdue(tx, { now, limit: BATCH });
    for (const id of ids) await tellOverdue(app, tx, await known(tx, id));
    return ids.length;
  });
  const reminded = await app.db.transaction().execute(async (tx) => {
    const ids = await takeUnreminded(tx, { now, dueBefore, limit: BATCH });
    for (const id of ids) await remind(app, tx, await known(tx, id));
    return ids.length;
  });
  await app.db.transaction().execute((tx) => announceUnconfirmed(app, tx));
  return [settled, overdue, reminded].includes(BATCH);
}

/** One message for many: the first is said at once, those that follow it together. */
async function announceUnconfirmed(app: App, tx: Db): Promise<void> {
  const now = app.clock.now();
  const [id, ...others] = await takeUnannounced(tx, {
    since: addMs(now, -UNCONFIRMED_DIGEST_MS),
    now,
  });
  if (id === undefined) return;
  if (others.length > 0) {
    await tell(tx, await severalToOperators(app, tx, others.length + 1), now);
    return;
  }
  const claim = await known(tx, id);
  const words = await findFirstWords(tx, id);
  await tell(tx, await toOperators(app, tx, { claim, why: "opened", words }), now);
}

async function known(tx: Db, id: bigint): Promise<LockedClaim> {
  const claim = await lockClaim(tx, id);
  assert(claim, "a claim that was taken is there");
  return claim;
}

const HOW = { access: SOLVED_BY_ACCESS, payment: SOLVED_BY_PAYMENT } as const;

async function closeSettled(app: App, tx: Db, { id, by }: Settled): Promise<void> {
  const now = app.clock.now();
  const claim = await known(tx, id);
  const as = by === "refund" ? "refunded" : "solved";
  const words = by === "refund" ? null : HOW[by];
  const entry = { claimId: id, author: "system", authorId: null } as const;
  await addEntry(tx, { ...entry, step: as, words }, now);
  await closeClaim(tx, { id, as, now });
  const tellings: Telling[] = [];
  if (words !== null) {
    const text = texts.solved(claim, words);
    tellings.push(toBuyer(app, claim, text));
    if (by === "access") tellings.push(...toSeller(app, claim, text));
  }
  await announce(tx, claim, { tellings, now });
}

async function tellOverdue(app: App, tx: Db, claim: LockedClaim): Promise<void> {
  const now = app.clock.now();
  const entry = { claimId: claim.id, author: "system", authorId: null } as const;
  await addEntry(tx, { ...entry, step: "timed-out", words: null }, now);
  const tellings = [
    toBuyer(app, claim, texts.overdueForBuyer(claim)),
    ...toSeller(app, claim, texts.overdueForSeller(claim)),
    ...(await toOperators(app, tx, { claim, why: "timed-out", words: null })),
  ];
  await announce(tx, claim, { tellings, now });
}

async function remind(app: App, tx: Db, claim: LockedClaim): Promise<void> {
  const due = { at: claim.seller_due_at, sayInstant: app.sayInstant };
  const tellings = toSeller(app, claim, texts.remindSeller(claim, due));
  await announce(tx, claim, { tellings, now: app.clock.now() });
}
