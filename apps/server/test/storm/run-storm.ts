import { assert, DAY_MS, describeError, HOUR_MS, MINUTE_MS, Outage } from "@sesame/kernel";
import { sql } from "kysely";
import pg from "pg";
import { expect } from "vitest";
import { invariant } from "../../../../tools/testing/failures.ts";
import { destroySocket } from "../../src/postgres/connections.ts";
import * as buying from "./buy.ts";
import { decide, mismatches, takeBackNow } from "./buy.ts";
import * as refunding from "./give-back.ts";
import { giveNumberOf, handleOne, refundAs, refunds } from "./give-back.ts";
import { brokenNow, describeCash, differences, forgotten } from "./oracle.ts";
import {
  type StormAction,
  type Draw,
  drawOf,
  PAYOUT_RAILS,
  openStorm,
  say,
  type StormState,
  COLLECTORS,
} from "./state.ts";
import * as withdrawing from "./withdraw.ts";
import { payoutsOf, payOne, rejectOne, requests, resolveOne, sayCameBack } from "./withdraw.ts";

const AT_ONCE = 10;
/** One statement in so many is struck. */
const ONE_IN = 30;

/** One action of the storm. → its result */
export async function perform(storm: StormState, seed: number): Promise<string> {
  const draw = drawOf(seed);
  const name = draw.pick(NAMES) ?? "";
  return `${name}: ${await ACTIONS[name]?.[1](storm, draw)}`;
}

/** Each has sold something before it begins. */
async function sellFirst(storm: StormState, draw: Draw): Promise<void> {
  for (let count = 0; count < 25; count++) {
    await buying.buy(storm, draw);
    await buying.pay(storm, draw);
  }
  await storm.app.drain();
}

export type Weather = {
  readonly rounds: number;
  /** Runs beside the actions of each round. */
  beside?(storm: StormState, draw: Draw): Promise<void>;
  /** After the last round, before the end. → errors that are bugs */
  stop?(): Promise<string[]>;
};

type Storm = Weather & { storm: StormState; lightning: Lightning; said: string[] };

async function rage({ storm, lightning, said, rounds, beside }: Storm, draw: Draw): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    lightning.oneIn = ONE_IN;
    const actions = Array.from({ length: AT_ONCE }, () => perform(storm, draw.next()));
    const other = beside?.(storm, drawOf(draw.next()));
    said.push(...(await Promise.all(actions)).map((each) => `${round} ${each}`));
    await other;
    lightning.oneIn = 0;
    if (draw.oneIn(2)) await storm.app.drain();
    expect((await brokenNow(storm)).join("\n")).toBe("");
  }
}

/**
 * The seed decides the actions and the strikes, but not the order in which the database executes them:
 * the same seed may pass again. A failure prints what was done, and every payment.
 */
export async function runStorm(seed: number, weather: Weather): Promise<void> {
  const draw = drawOf(seed);
  const lightning = startLightning(drawOf(draw.next()));
  const storm = await openStorm();
  const said: string[] = [];
  try {
    await sellFirst(storm, draw);
    await rage({ ...weather, storm, lightning, said }, draw);
    const bugsBeside = (await weather.stop?.()) ?? [];
    await settleDown(storm);
    await invariant("books and emulators agree", async () => {
      const open = await forgotten(storm);
      const left = await decideAll(storm, draw);
      const wrong = [...open, ...left, ...(await brokenNow(storm)), ...(await differences(storm))];
      assert(wrong.length === 0, wrong.join("\n"));
    });
    const bugs = [...storm.app.takeErrors(), ...bugsBeside].filter(
      (line) => !line.includes("Outage"),
    );
    expect(bugs).toEqual([]);
    process.stdout.write(`seed ${seed}: ${said.length} actions, ${lightning.struck} bolts\n`);
  } catch (error) {
    lightning.oneIn = 0;
    const cash = await describeCash(storm);
    process.stdout.write(
      `seed ${seed}, in order:\n${[...said, ...cash].join("\n")}\n${describeError(error)}\n`,
    );
    storm.app.takeErrors();
    throw error;
  } finally {
    lightning.stop();
    await weather.stop?.();
    await storm.app.close();
  }
}

const close: StormAction = (storm, draw) =>
  storm.said(draw.pick(storm.sellers), "POST", "/api/users/close", { confirm: true });

const reopen: StormAction = async (storm, draw) => {
  const [closed] = await storm.rows(sql<{ id: bigint }>`
    SELECT id FROM sellers WHERE closed_at IS NOT NULL ORDER BY id LIMIT 1
  `);
  const operator = draw.pick(storm.operators);
  if (!closed) return "nothing";
  const path = `/api/desk/sellers/${closed.id}/reopen`;
  return storm.said(operator, "POST", path, { reason: "À sa demande" });
};

/** A new buyer replaces an erased one. */
const erase: StormAction = async (storm, draw) => {
  const nth = draw.upTo(storm.buyers.length);
  const buyer = draw.oneIn(4) ? draw.pick(storm.sellers) : storm.buyers[nth];
  if (!buyer) return "nobody";
  const erased = await storm.call(buyer, "POST", "/api/me/delete", { confirm: true });
  if (erased.status === 200 && storm.buyers[nth] === buyer) {
    const next = await storm.app.buyerInTouch().catch(() => null);
    if (next) {
      storm.buyers[nth] = next;
      storm.people.set(next.id, next);
    }
  }
  return say(erased);
};

/** A product is switched off, or on again. */
const shelve: StormAction = async (storm, draw) => {
  const nth = draw.upTo(4);
  const status = draw.oneIn(4) ? "inactive" : "active";
  const seller = storm.sellers[nth];
  const [product] = await storm.rows(sql<{ id: bigint }>`
    SELECT id FROM products WHERE reference = ${storm.products[nth] ?? ""}
  `);
  return product ? storm.said(seller, "PUT", `/api/products/${product.id}`, { status }) : "nothing";
};

const measure: StormAction = async (storm, draw) => {
  const seller = draw.pick(storm.sellers);
  const operator = draw.pick(storm.operators);
  const [act, undo] = draw.oneIn(2) ? ["freeze", "unfreeze"] : ["suspend", "resume"];
  const path = draw.oneIn(3) ? act : undo;
  const review = new Date(storm.app.clock.now().getTime() + 5 * DAY_MS).toISOString().slice(0, 10);
  const body = { reason: "Vérification", ...(path === act ? { review_at: review } : {}) };
  return `${path} ${await storm.said(operator, "POST", `/api/desk/sellers/${seller?.id}/${path}`, body)}`;
};

const writeOff: StormAction = async (storm, draw) => {
  const [debt] = await storm.rows(sql<{ seller_id: bigint }>`
    SELECT seller_id FROM seller_advances WHERE owed > 0 ORDER BY seller_id LIMIT 1
  `);
  const operator = draw.pick(storm.operators);
  if (!debt) return "nothing";
  const path = `/api/desk/sellers/${debt.seller_id}/write-off`;
  return storm.said(operator, "POST", path, { reason: "Sans réponse" });
};

const reconcile: StormAction = (storm, draw) =>
  storm.said(draw.pick(storm.agents), "POST", "/api/desk/reconciliations");

/** Background loops run once, beside all the others. */
const work: StormAction = async ({ app }) => {
  // A struck poller throws; in production it would poll again.
  const ignoreOutage = (error: unknown): void => {
    if (!(error instanceof Outage)) throw error;
  };
  await Promise.all(app.app.loops.map((loop) => loop.drain().catch(ignoreOutage)));
  return "worked";
};

const pass: StormAction = async ({ app }, draw) => {
  const ms = draw.pick([MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 5 * HOUR_MS, DAY_MS]) ?? MINUTE_MS;
  app.clock.advance(ms);
  return `${ms / MINUTE_MS} min`;
};

type Lightning = {
  /** One statement in so many is struck; 0: none. */
  oneIn: number;
  struck: number;
  /** Ends the strikes. */
  stop(): void;
};

type Ask = (...args: unknown[]) => Promise<unknown>;
type Bolt = "conflict" | "lost-before" | "lost-after";

const BOLTS: readonly Bolt[] = ["conflict", "lost-before", "lost-after"];
const DEADLOCK = "DO $$ BEGIN RAISE EXCEPTION 'storm' USING ERRCODE = '40P01'; END $$";

/**
 * Strikes statements of the application's pool, always the same nth for one seed: a deadlock, or a
 * connection that ends before the statement arrives or after it was executed, COMMIT included. The
 * latter two are what the database sees of a killed process. The test's own connections (a pool of
 * two) are spared. Call it before the application opens its pool.
 */
function startLightning(draw: Draw): Lightning {
  const prototype = pg.Pool.prototype as { connect: Ask };
  const connect = prototype.connect;
  const wired = new WeakSet<object>();
  const lightning: Lightning = {
    oneIn: 0,
    struck: 0,
    stop: () => void (prototype.connect = connect),
  };
  prototype.connect = async function (this: pg.Pool, ...args) {
    const client = await connect.apply(this, args);
    if (this.options.max === 2 || args.length > 0) return client;
    const face = client as pg.PoolClient;
    if (!wired.has(face)) wire(face, lightning, draw);
    wired.add(face);
    return face;
  };
  return lightning;
}

function wire(client: pg.PoolClient, lightning: Lightning, draw: Draw): void {
  const ask = client.query.bind(client) as Ask;
  const end = (): never => {
    destroySocket(client);
    throw new Error("Connection terminated unexpectedly");
  };
  const query: Ask = async (...args) => {
    const bolt = lightning.oneIn > 0 && draw.oneIn(lightning.oneIn) ? draw.pick(BOLTS) : null;
    const text = typeof args[0] === "string" ? args[0] : (args[0] as { text: string }).text;
    if (bolt) lightning.struck += 1;
    switch (bolt) {
      case "conflict":
        return ask(...(/^(begin|commit|rollback|start)/i.test(text) ? args : [DEADLOCK]));
      case "lost-before":
        return end();
      case "lost-after":
        await ask(...args);
        return end();
      default:
        return ask(...args);
    }
  };
  Object.defineProperty(client, "query", { value: query });
}

/** All services answer again, time passes, and everything automatic is decided. */
async function settleDown(storm: StormState): Promise<void> {
  const { app } = storm;
  for (const provider of COLLECTORS) app.emulators.collectors[provider].clearFaults();
  for (const rail of PAYOUT_RAILS) payoutsOf(storm, rail).clearFaults();
  app.emulators.fedapay.enableWebhook();
  for (const rail of PAYOUT_RAILS) {
    const payouts = payoutsOf(storm, rail);
    const open = payouts.list().filter(({ status }) => status === "queued" || status === "pending");
    for (const { id } of open) payouts.settle(id, "success");
  }
  for (let count = 0; count < 24; count++) {
    await app.drain();
    app.clock.advance(5 * HOUR_MS);
  }
  await app.drain();
}

/** People do what is left to them, until nothing is. → what they could not end */
async function decideAll(storm: StormState, draw: Draw): Promise<string[]> {
  const said: string[] = [];
  for (let count = 0; count < 10; count++) {
    said.length = 0;
    await endMeasures(storm);
    for (const { id } of await mismatches(storm)) said.push(await decide(storm, draw, id));
    said.push(...(await endRequests(storm)), ...(await endRefunds(storm)));
    await storm.app.drain();
    if (said.length === 0) return [];
    await storm.app.advance(30 * MINUTE_MS);
  }
  return said;
}

/** A seller whose account closed before everything had arrived opens it again: an operator may. */
async function endMeasures(storm: StormState): Promise<void> {
  for (const { id } of storm.sellers) {
    for (const measure of ["unfreeze", "resume", "reopen"]) {
      const path = `/api/desk/sellers/${id}/${measure}`;
      await storm.said(storm.operators[0], "POST", path, { reason: "Terminé" });
    }
  }
}

async function endRequests(storm: StormState): Promise<string[]> {
  const [agent] = storm.agents;
  const [operator] = storm.operators;
  if (!agent || !operator) return [];
  const said: string[] = [];
  const returned = await storm.rows(sql<{ id: bigint }>`
    SELECT withdrawal_id AS id FROM payouts WHERE returned_at IS NOT NULL
  `);
  for (const id of storm.cameBack.keys()) {
    if (returned.some((each) => String(each.id) === id)) continue;
    said.push(`${id} came back ${await sayCameBack(storm, operator, BigInt(id))}`);
  }
  for (const one of await requests(storm)) {
    const what = `withdrawal ${one.id} ${one.status} ${one.rail} ${one.payout}`;
    if (one.status === "pending") said.push(`${what} ${await rejectOne(storm, agent, one)}`);
    else if (one.payout === "uncertain")
      said.push(`${what} ${await resolveOne(storm, operator, one)}`);
    else if (one.payout === "ready" && one.rail === "manual")
      said.push(`${what} ${await payOne(storm, agent, one)}`);
    else if (one.payout && !["succeeded", "failed"].includes(one.payout)) said.push(what);
  }
  return said;
}

async function endRefunds(storm: StormState): Promise<string[]> {
  const [agent] = storm.agents;
  const [operator] = storm.operators;
  if (!agent || !operator) return [];
  const said: string[] = [];
  for (const cash of storm.cash.filter(({ taken }) => taken === "partly")) {
    await takeBackNow(storm, cash, "whole");
  }
  const ids = storm.cash.filter(({ taken }) => taken === "whole").map(({ paymentId }) => paymentId);
  const taken = await storm.rows(sql<{ id: bigint }>`
    SELECT DISTINCT o.id FROM orders o JOIN payments p ON p.order_id = o.id
    WHERE o.status = 'paid' AND p.status = 'paid' AND p.suspended_amount IS NULL
      AND p.id = ANY(${ids.map(BigInt)}::bigint[]) AND o.kind <> 'trial'
  `);
  for (const { id } of taken)
    said.push(`order ${id} taken back ${await refundAs(storm, operator, id)}`);
  for (const one of await refunds(storm)) {
    const what = `refund ${one.id} ${one.rail} ${one.status}`;
    if (one.status === "needs-number") said.push(`${what} ${await giveNumberOf(storm, one)}`);
    else if (one.status === "to-pay") said.push(`${what} ${await handleOne(storm, agent, one)}`);
    else said.push(what);
  }
  return said;
}

/** What can happen, and its weight. */
const ACTIONS: Readonly<Record<string, readonly [number, StormAction]>> = {
  order: [14, buying.buy],
  pay: [20, buying.pay],
  "pay again": [2, buying.payAgain],
  "try elsewhere": [3, buying.tryElsewhere],
  "order a plan": [2, buying.orderPlan],
  trial: [1, buying.trial],
  "take back": [4, buying.takeBack],
  "put right": [2, buying.putRight],
  "trouble at a collector": [3, buying.trouble],
  "decide a mismatch": [2, buying.decideSome],
  "refund by its seller": [2, refunding.bySeller],
  "refund by an operator": [2, refunding.byOperator],
  "give a number": [3, refunding.giveNumber],
  "handle a refund": [6, refunding.handle],
  "note a fee": [1, refunding.note],
  "ask for a payout": [8, withdrawing.ask],
  automatic: [2, withdrawing.automatic],
  cancel: [1, withdrawing.cancel],
  approve: [9, withdrawing.approve],
  reject: [1, withdrawing.reject],
  "pay by hand": [4, withdrawing.payByHand],
  "give up": [1, withdrawing.fail],
  "come back by hand": [1, withdrawing.comeBack],
  resolve: [2, withdrawing.resolve],
  "trouble at a sender": [3, withdrawing.trouble],
  "end there": [2, withdrawing.endThere],
  "reverse there": [1, withdrawing.reverse],
  close: [1, close],
  reopen: [1, reopen],
  erase: [1, erase],
  shelve: [1, shelve],
  measure: [1, measure],
  "write off": [2, writeOff],
  reconcile: [1, reconcile],
  work: [10, work],
  pass: [7, pass],
};

const NAMES = Object.entries(ACTIONS).flatMap(([name, [often]]) => Array<string>(often).fill(name));
