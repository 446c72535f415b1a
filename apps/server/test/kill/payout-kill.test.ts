import { existsSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { setTimeout as pace } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { buffer } from "node:stream/consumers";
import { adjustableClock, assert, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { balanceOf } from "@sesame/ledger";
import { describe, expect, test } from "vitest";
import { ownFolder } from "../../../../tools/postgres/leftovers.ts";
import { isDrawn, randomOf, SEED } from "../../../../tools/testing/seeded.ts";
import { TooSlow } from "../../../../tools/testing/failures.ts";
import { type EmulatedPayouts, startEmulators } from "../../../emulators/src/index.ts";
import type { PayoutFault } from "../../../emulators/src/wire.ts";
import { approveIn } from "../../src/features/treasury/payouts.ts";
import { openOwnDatabase } from "../tables.ts";
import { sellMany } from "../bulk-sales.ts";
import { startChildServer } from "../child-server.ts";
import { fundSeller } from "../funds.ts";
import { EMULATED_KEYS, payoutEnvironment, serverEnvironment } from "../harness.ts";
import { listen } from "../../../../tools/testing/listen.ts";
import { forward, freePort } from "../http.ts";
import {
  askFor,
  brokenInvariants,
  createEngine,
  emulatorRails,
  PAYOUT_RAILS,
  type ProviderRail,
} from "../payouts.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const isBuilt = existsSync(at("../../../web/dist/client/.vite/manifest.json"));
const REAL = at(isBuilt ? "../../src/main.ts" : "./without-pages.ts");
const MUTANT = at("./send-again.ts");
const isLong = process.env["LONG"] === "1";

const INSTANTS: readonly Instant[] = ["before", "after", "answered"];
const FAULTS = ["timeout-after", "500-after", "late-success", "insufficient-float"] as const;
/** Without LONG. */
const FAULT_OF: Readonly<Record<ProviderRail, PayoutFault>> = {
  paydunya: "timeout-after",
  moneroo: "500-after",
  fedapay: "insufficient-float",
};

/**
 * With LONG, every instant of every call, with every fault of the provider; else, for one provider,
 * all instants of the call that moves money, one of each other call, and a fault.
 */
function planFor(rail: ProviderRail): PayoutKill[] {
  const steps: CallStep[] = ["submit", "lookup"];
  if (rail !== "moneroo") steps.unshift("prepare");
  const instants = steps.flatMap((step) =>
    INSTANTS.map((instant): PayoutKill => ({ rail, step, instant })),
  );
  if (isLong) {
    return [undefined, ...FAULTS].flatMap((fault) =>
      instants.map((kill) => (fault ? { ...kill, fault } : kill)),
    );
  }
  return [
    ...instants.filter(({ step, instant }) => step === "submit" || instant === "after"),
    { rail, step: "submit", instant: "before", fault: FAULT_OF[rail] },
  ];
}

describe("kill -9 of the server at each step of a payout", () => {
  test.each(PAYOUT_RAILS.filter((_, nth) => isDrawn(nth)))(
    "by %s: at most one payment, exactly one where it can be looked up, and a ledger that agrees",
    async (rail) => {
      const plan = planFor(rail);
      const report = await runPayoutKills(REAL, plan);
      process.stdout.write(`seed ${SEED} ${JSON.stringify({ rail, ...report })}\n`);
      expect(report).toMatchObject({ kills: plan.length, doubled: [], lost: [], broken: [] });
    },
    3_600_000,
  );

  test("shows that an engine that sends again what it cannot find pays twice", async () => {
    const report = await runPayoutKills(MUTANT, [
      { rail: "moneroo", step: "submit", instant: "after" },
    ]);
    expect(report.doubled.length).toBeGreaterThan(0);
  }, 600_000);
});

type PayoutKill = { rail: ProviderRail; step: CallStep; instant: Instant; fault?: PayoutFault };

/** Payouts in progress at the same instant. */
const PAYOUTS_A_KILL = 3;
const TRAP_MS = 180_000;
const REST_MS = 300_000;
const TURN_MS = 40;
/** The emulators' time in a step: before the trap, lookups come one by one; after it, leases expire. */
const STEP_BEFORE_MS = 2_000;
const STEP_AFTER_MS = 5 * MINUTE_MS;

/** Kills the server at each of these instants, one after the other, and checks the result. */
async function runPayoutKills(script: string, plan: readonly PayoutKill[]) {
  const rig = await openPayoutRig(script);
  try {
    const outcomes = [];
    for (const kill of plan) outcomes.push(await killOnce(rig, kill));
    return { kills: plan.length, outcomes, ...(await assessPayouts(rig)) };
  } finally {
    await rig.close();
  }
}

/** → the kill, with our statuses at the end */
async function killOnce(rig: PayoutRig, kill: PayoutKill) {
  const { rail, step, instant, fault } = kill;
  if (fault) rig.payoutsOf(rail).fault(fault);
  let dead = false;
  rig.proxy.trap({ step, instant }, async () => {
    // Just after an answer, some of it may be written.
    if (instant === "answered") await pace(rig.random() * 15);
    await rig.kill();
    dead = true;
  });
  const ids = await approveSome(rig, rail);
  await turnUntil(rig, () => dead, { stepMs: STEP_BEFORE_MS, limitMs: TRAP_MS, what: kill });
  await rig.restart();
  const seen = async () =>
    (await rig.payouts()).filter(({ withdrawalId }) => ids.includes(withdrawalId));
  const atRest = async () =>
    (await seen()).every(isAtRest(rig)) && (await isNothingOnItsWay(rig, rail));
  await turnUntil(rig, atRest, { stepMs: STEP_AFTER_MS, limitMs: REST_MS, what: kill });
  rig.payoutsOf(rail).clearFaults();
  return { ...kill, statuses: (await seen()).map(({ status }) => status) };
}

/** Each to a different number: FedaPay pays one number three times a day at most. */
async function approveSome(rig: PayoutRig, rail: ProviderRail): Promise<bigint[]> {
  const { db, clock, engine, seller, agent } = rig;
  const ids: bigint[] = [];
  for (let count = 0; count < PAYOUTS_A_KILL; count++) {
    const phone = `+22901${String(97_000_000 + Math.floor(rig.random() * 999_999))}`;
    ids.push(await askFor({ db, clock }, seller, { amount: 5_000, method: "mtn-benin", phone }));
  }
  for (const withdrawalId of ids) {
    const approved = await db.transaction().execute((tx) => {
      const approval = { withdrawalId, rail, by: agent };
      return approveIn(engine, tx, { approval, now: clock.now() });
    });
    assert(approved.ok, `the approval by ${rail} was refused`);
  }
  return ids;
}

async function turnUntil(
  rig: PayoutRig,
  done: () => boolean | Promise<boolean>,
  { stepMs, limitMs, what }: { stepMs: number; limitMs: number; what: PayoutKill },
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await done())) {
    if (performance.now() > deadline) {
      throw new TooSlow(`a rest after ${JSON.stringify(what)} (${rig.said()})`, limitMs);
    }
    rig.clock.advance(stepMs);
    await pace(TURN_MS);
  }
}

/** A webhook in transit, or a reported id not yet looked up, may still name a payout. */
async function isNothingOnItsWay(rig: PayoutRig, rail: ProviderRail): Promise<boolean> {
  const webhooks = rig.payoutsOf(rail).webhookViews();
  if (webhooks.some(({ state }) => state === "held" || state === "sending")) return false;
  return !(await rig.value<boolean>`
    SELECT EXISTS (SELECT FROM reported_payouts WHERE check_at IS NOT NULL)`);
}

/** Ended; or never named, after all webhooks that could have come. */
function isAtRest(rig: PayoutRig): (payout: PayoutSeen) => boolean {
  const before = rig.clock.now().getTime() - HOUR_MS;
  return ({ status, rail, submittedAt }) => {
    if (status === "succeeded" || status === "failed") return true;
    const isUnnamed = rail === "moneroo" && status === "uncertain";
    return isUnnamed && submittedAt !== null && submittedAt.getTime() < before;
  };
}

type PayoutRig = Awaited<ReturnType<typeof openPayoutRig>>;

const FUNDS = 100_000_000;

/** Providers, a server in a process of its own between a database and them, and its seller. */
async function openPayoutRig(script: string) {
  const folder = ownFolder("payouts");
  const { close, url: databaseUrl, ...database } = await openOwnDatabase(4);
  const { db } = database;
  const clock = adjustableClock();
  const port = await freePort();
  const appUrl = `http://127.0.0.1:${port}`;
  const emulators = await startEmulators({ port: 0, appUrl, clock, ...EMULATED_KEYS });
  const proxy = await startProviderProxy(emulators.apiRoot);
  const root = emulators.apiRoot;
  const env = {
    ...serverEnvironment({ port, databaseUrl, dataDir: folder, root }),
    ...payoutEnvironment(proxy.url),
    MONEROO_API_ROOT: proxy.url,
    CLOCK_URL: `${root}/emulators/clock`,
    ROLES: "http,worker",
  };
  const start = () => startChildServer(script, env);
  let server = await start();
  await sellMany(db, { sellers: 1, buyers: 1, orders: 0, now: clock.now() });
  const [people] = await database.sql<{ seller: bigint; agent: bigint }>`
    SELECT s.id AS seller, p.id AS agent FROM sellers s, people p WHERE p.id <> s.id`;
  assert(people, "a seller and an agent were made");
  await fundSeller({ db, clock }, { id: String(people.seller) }, FUNDS, "premium");
  const providers = emulatorRails({ root, now: () => clock.now() });
  return {
    ...database,
    ...people,
    clock,
    proxy,
    random: randomOf(SEED),
    engine: createEngine({ db, clock }, { providers, production: false }),
    payouts: () => database.sql<PayoutSeen>`
      SELECT withdrawal_id AS "withdrawalId", rail, reference, status, failure,
        submitted_at AS "submittedAt"
      FROM payouts ORDER BY id`,
    payoutsOf: (rail: ProviderRail): EmulatedPayouts =>
      ({
        paydunya: emulators.paydunya,
        moneroo: emulators.moneroo.payouts,
        fedapay: emulators.fedapay,
      })[rail],
    kill: () => server.kill(),
    said: () => server.output(),
    async restart() {
      server = await start();
    },
    async close() {
      await server.kill();
      await proxy.close();
      await emulators.close();
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The purpose of a call to a provider: the steps of a payout. */
type CallStep = "prepare" | "submit" | "lookup";

/**
 * `before` the provider gets the call · `after` it did, without passing its answer on · `answered` as
 * soon as there was an answer, if the provider gave one.
 */
type Instant = "before" | "after" | "answered";

type Trap = { step: CallStep; instant: Instant; spring(): Promise<void> };

/** A proxy between the server and the emulated providers, to kill the server at a known instant. */
async function startProviderProxy(target: string) {
  let trap: Trap | null = null;
  const server = await listen(async (incoming, response) => {
    const caught = trap !== null && stepOf(incoming) === trap.step ? trap : null;
    if (caught) trap = null;
    const body = await buffer(incoming);
    if (caught?.instant === "before") {
      await caught.spring();
      return response.destroy();
    }
    const answer = await forward(target, incoming, body).catch(() => null);
    if (answer === null || caught?.instant === "after") {
      await caught?.spring();
      return response.destroy();
    }
    response.writeHead(answer.status, { "content-type": answer.type }).end(answer.body);
    await caught?.spring();
  });
  return {
    ...server,
    /** At the next call of that step: calls back, and passes on nothing that comes later. */
    trap(at: { step: CallStep; instant: Instant }, spring: () => Promise<void>): void {
      trap = { ...at, spring };
    },
  };
}

function stepOf({ method, url = "" }: IncomingMessage): CallStep | null {
  const path = url.split("?")[0] ?? "";
  if (path.endsWith("/get-invoice")) return "prepare";
  if (path.endsWith("/submit-invoice") || path.endsWith("/payouts/initialize")) return "submit";
  if (path.endsWith("/check-status")) return "lookup";
  if (!path.startsWith("/v1/payouts")) return null;
  if (method === "POST") return "prepare";
  return method === "PUT" ? "submit" : "lookup";
}

type PayoutSeen = {
  readonly withdrawalId: bigint;
  readonly rail: ProviderRail;
  readonly reference: string;
  readonly status: string;
  readonly failure: string | null;
  readonly submittedAt: Date | null;
};

/**
 * `doubled`: two payments with one reference, or one received whose francs returned. `lost`: accepted
 * by the provider and unknown to us, or never sent by one with a lookup. `broken`: the ledger's
 * invariants, and its differences to the providers' records.
 */
async function assessPayouts(rig: PayoutRig) {
  const ours = await rig.payouts();
  const doubled: string[] = [];
  const lost: string[] = [];
  for (const { reference, status, rail, failure } of ours) {
    // Started there with this reference: what moved or may move money.
    const taken = rig
      .payoutsOf(rail)
      .list()
      .filter((each) => each.reference === reference && each.startedAt !== null);
    const line = `${reference} by ${rail}: ${status}, ${taken.map((each) => each.status)}`;
    if (taken.length > 1) doubled.push(line);
    const received = taken.some((each) => each.status === "success");
    if (status === "failed" && received) doubled.push(line);
    if (status === "succeeded" && !received) lost.push(line);
    if (status !== "succeeded" && status !== "failed" && taken.length > 0) lost.push(line);
    // Moneroo has no lookup without an answer; the others have, and get it again.
    const isGivenUp = status === "uncertain" && rail === "moneroo";
    if (status !== "succeeded" && !isGivenUp && failure !== "float") lost.push(line);
  }
  return { doubled, lost, broken: await brokenTotals(rig, ours) };
}

async function brokenTotals(rig: PayoutRig, ours: readonly PayoutSeen[]): Promise<string[]> {
  const broken = (await brokenInvariants(rig.db)).map((each) => JSON.stringify(each));
  for (const rail of PAYOUT_RAILS) {
    const sent = rig
      .payoutsOf(rail)
      .list()
      .filter(({ status }) => status === "success")
      .reduce((total, { amount, cost }) => total + amount + cost, 0);
    const due = BigInt(sent);
    const booked = (await balanceOf(rig.db, `provider:${rail}`))?.posted;
    if (booked !== due) broken.push(`provider:${rail} is ${booked}, they say ${due}`);
  }
  const open = ours.filter(({ status }) => status !== "succeeded" && status !== "failed").length;
  const transit = (await balanceOf(rig.db, "payouts:in-transit"))?.posted;
  if (transit !== BigInt(open * 5_000)) broken.push(`in transit ${transit} of ${open} payouts`);
  return broken;
}
