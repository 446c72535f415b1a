import { assert, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { chanceOf, SEED } from "../../../../tools/testing/seeded.ts";
import { TooSlowToJudge } from "../../../../tools/testing/too-slow.ts";
import type { PayoutFault } from "../../../emulators/src/wire.ts";
import { approveIn } from "../../src/features/treasury/decide.ts";
import { setTimeout as pace } from "node:timers/promises";
import { askFor } from "../payouts.ts";
import {
  assessPayouts,
  hasRumours,
  type PayoutDamage,
  type PayoutSeen,
  seenOf,
} from "./payout-damage.ts";
import { openPayoutTown, type PayoutTown, type Provided } from "./payout-town.ts";
import type { CallStep, Instant } from "./provider-proxy.ts";

export type PayoutKill = {
  readonly lane: Provided;
  readonly step: CallStep;
  readonly instant: Instant;
  readonly fault?: PayoutFault;
};

export type KillOutcome = PayoutKill & {
  /** Ours, at the end. */
  readonly statuses: readonly string[];
};

export type PayoutKillReport = PayoutDamage & {
  readonly kills: number;
  readonly outcomes: readonly KillOutcome[];
};

/** Others on their way at the same instant. */
const PAYOUTS_A_KILL = 3;
const TRAP_MS = 180_000;
const REST_MS = 300_000;
const TURN_MS = 40;
/** Emulators' time a turn: before the trap, looks come one by one; after it, leases end. */
const STEP_BEFORE_MS = 2_000;
const STEP_AFTER_MS = 5 * MINUTE_MS;

type Stage = PayoutTown & { chance(): number };

/** Kills the server at each of these instants, one after the other, and looks at what is left. */
export async function runPayoutKills(
  script: string,
  plan: readonly PayoutKill[],
): Promise<PayoutKillReport> {
  const town = { ...(await openPayoutTown(script)), chance: chanceOf(SEED) };
  try {
    const outcomes: KillOutcome[] = [];
    for (const kill of plan) outcomes.push(await killOnce(town, kill));
    return { kills: plan.length, outcomes, ...(await assessPayouts(town)) };
  } finally {
    await town.close();
  }
}

async function killOnce(town: Stage, kill: PayoutKill): Promise<KillOutcome> {
  const { lane, step, instant, fault } = kill;
  if (fault) town.deskOf(lane).fault(fault);
  let dead = false;
  town.proxy.trap({ step, instant }, async () => {
    // Just after an answer, some of it may be written.
    if (instant === "answered") await pace(town.chance() * 15);
    await town.kill();
    dead = true;
  });
  const ids = await approveSome(town, lane);
  await turnUntil(town, () => dead, { stepMs: STEP_BEFORE_MS, limitMs: TRAP_MS, what: kill });
  await town.restart();
  const atRest = async () =>
    (await seenOf(town, ids)).every(isAtRest(town)) && (await isNothingOnItsWay(town, lane));
  await turnUntil(town, atRest, { stepMs: STEP_AFTER_MS, limitMs: REST_MS, what: kill });
  town.deskOf(lane).clearFaults();
  const statuses = (await seenOf(town, ids)).map(({ status }) => status);
  return { ...kill, statuses };
}

/** Each to a number of its own: FedaPay pays one number three times a day. */
async function approveSome(town: Stage, lane: Provided): Promise<bigint[]> {
  const { db, clock, engine, sellerId, agentId } = town;
  const ids: bigint[] = [];
  for (let count = 0; count < PAYOUTS_A_KILL; count++) {
    const phone = `+22901${String(97_000_000 + Math.floor(town.chance() * 999_999))}`;
    ids.push(await askFor({ db, clock }, sellerId, { amount: 5_000, method: "mtn-benin", phone }));
  }
  for (const withdrawalId of ids) {
    const approved = await db.transaction().execute((tx) => {
      const approval = { withdrawalId, lane, by: agentId };
      return approveIn(engine, tx, { approval, now: clock.now() });
    });
    assert(approved.ok, `the approval by ${lane} was refused`);
  }
  return ids;
}

type Turning = { stepMs: number; limitMs: number; what: PayoutKill };

async function turnUntil(
  town: PayoutTown,
  done: () => boolean | Promise<boolean>,
  { stepMs, limitMs, what }: Turning,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await done())) {
    if (performance.now() > deadline) {
      throw new TooSlowToJudge(`a rest after ${JSON.stringify(what)} (${town.said()})`, limitMs);
    }
    town.clock.advance(stepMs);
    await pace(TURN_MS);
  }
}

/** A notice about to be heard, or a rumour about to be followed, may still name a payout. */
async function isNothingOnItsWay(town: PayoutTown, lane: Provided): Promise<boolean> {
  const notices = town.deskOf(lane).noticeViews();
  if (notices.some(({ state }) => state === "held" || state === "sending")) return false;
  return !(await hasRumours(town));
}

/** Ended; or named by nobody, after all the notices that could have come. */
function isAtRest(town: PayoutTown): (payout: PayoutSeen) => boolean {
  const before = town.clock.now().getTime() - HOUR_MS;
  return ({ status, lane, submittedAt }) => {
    if (status === "succeeded" || status === "failed") return true;
    const isUnnamed = lane === "moneroo" && status === "uncertain";
    return isUnnamed && submittedAt !== null && submittedAt.getTime() < before;
  };
}
