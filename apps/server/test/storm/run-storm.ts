import { assert, DAY_MS, describeError, HOUR_MS, MINUTE_MS, Outage } from "@sesame/kernel";
import pg from "pg";
import { expect } from "vitest";
import { invariant } from "../../../../tools/testing/failures.ts";
import { destroySocket } from "../../src/postgres/connections.ts";
import { dayIn } from "../tables.ts";
import { BUYING } from "./buy.ts";
import { GIVING_BACK } from "./give-back.ts";
import { brokenNow, describeMoney, differences, forgotten, undecided } from "./oracle.ts";
import {
  type Act,
  type Acts,
  attempt,
  type Draw,
  drawOf,
  existing,
  often,
  openStorm,
  PAYOUT_RAILS,
  say,
  type StormState,
} from "./state.ts";
import { openAt, payoutsOf, WITHDRAWING } from "./withdraw.ts";

const AT_ONCE = 10;
/** One statement in so many is struck. */
const ONE_IN = 30;
const SURE = { confirm: true };

/** One action of the storm. → its result */
export async function perform(storm: StormState, seed: number): Promise<string> {
  const draw = drawOf(seed);
  const [name, { act }] = draw.pick(DRAWN);
  return `${name}: ${await attempt(act, storm, draw)}`;
}

export type Weather = {
  readonly rounds: number;
  /** Runs beside the actions of each round. */
  beside?(storm: StormState, draw: Draw): Promise<void>;
  /** After the last round, before the end. → errors that are bugs */
  stop?(): Promise<string[]>;
};

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
    // Each seller has sold something before it begins.
    for (let count = 0; count < 25; count++) {
      await attempt(BUYING.order.act, storm, draw);
      await attempt(BUYING.pay.act, storm, draw);
    }
    await storm.app.drain();
    for (let round = 0; round < weather.rounds; round++) {
      lightning.oneIn = ONE_IN;
      const actions = Array.from({ length: AT_ONCE }, () => perform(storm, draw.next()));
      const other = weather.beside?.(storm, drawOf(draw.next()));
      said.push(...(await Promise.all(actions)).map((each) => `${round} ${each}`));
      await other;
      lightning.oneIn = 0;
      if (draw.oneIn(2)) await storm.app.drain();
      expect((await brokenNow(storm)).join("\n")).toBe("");
    }
    const bugsBeside = (await weather.stop?.()) ?? [];
    await settleDown(storm);
    await invariant("books and emulators agree", async () => {
      const open = await forgotten(storm);
      const left = await decideAll(storm, draw);
      const wrong = [...open, ...left, ...(await brokenNow(storm)), ...(await differences(storm))];
      assert(wrong.length === 0, wrong.join("\n"));
    });
    const bugs = [...storm.app.takeErrors(), ...bugsBeside];
    expect(bugs.filter((line) => !line.includes("Outage"))).toEqual([]);
    process.stdout.write(`seed ${seed}: ${said.length} actions, ${lightning.struck} bolts\n`);
  } catch (error) {
    lightning.oneIn = 0;
    const lines = [`seed ${seed}, in order:`, ...said, ...(await describeMoney(storm))];
    process.stdout.write(`${lines.join("\n")}\n${describeError(error)}\n`);
    storm.app.takeErrors();
    throw error;
  } finally {
    lightning.stop();
    await weather.stop?.();
    await storm.app.close();
  }
}

/** Accounts, and what happens to all of them. */
const LIVING: Acts = {
  close: often(1, ({ said, sellers }, draw) => said(draw.pick(sellers), "/api/users/close", SURE)),
  reopen: often(1, async (storm, draw) => {
    const closed = await storm.values<string>`
      SELECT id::text FROM sellers WHERE closed_at IS NOT NULL
    `;
    return storm.asOperator(draw, `sellers/${draw.pick(closed)}/reopen`, {
      reason: "À sa demande",
    });
  }),
  /** A new buyer replaces an erased one. */
  erase: often(1, async (storm, draw) => {
    const nth = draw.upTo(storm.buyers.length);
    const buyer = draw.oneIn(4) ? draw.pick(storm.sellers) : existing(storm.buyers[nth]);
    const erased = await storm.call(buyer, "/api/me/delete", SURE);
    if (erased.status === 200 && storm.buyers[nth] === buyer) {
      const next = await storm.app.buyerInTouch().catch(() => null);
      if (next) {
        storm.buyers[nth] = next;
        storm.people.set(next.id, next);
      }
    }
    return say(erased);
  }),
  /** A product is switched off, or on again. */
  shelve: often(1, async (storm, draw) => {
    const products = await storm.sql<Record<"id" | "seller_id", string>>`
      SELECT id::text, seller_id::text FROM products WHERE kind = 'product'
    `;
    const { id, seller_id: seller } = draw.pick(products);
    const status = draw.oneIn(4) ? "inactive" : "active";
    return storm.said(storm.people.get(seller), `/api/products/${id}`, { status }, "PUT");
  }),
  measure: often(1, async (storm, draw) => {
    const [act, undo] = draw.oneIn(2) ? ["freeze", "unfreeze"] : ["suspend", "resume"];
    const action = draw.oneIn(3) ? act : undo;
    const path = `sellers/${draw.pick(storm.sellers).id}/${action}`;
    const review = action === act ? { review_at: dayIn(storm.app.clock, 5) } : {};
    const body = { reason: "Vérification", ...review };
    return `${action} ${await storm.asOperator(draw, path, body)}`;
  }),
  "write off": often(2, async (storm, draw) => {
    const indebted = await storm.values<string>`
      SELECT seller_id::text FROM seller_advances WHERE owed > 0
    `;
    const path = `sellers/${draw.pick(indebted)}/write-off`;
    return storm.asOperator(draw, path, { reason: "Sans réponse" });
  }),
  reconcile: often(1, ({ said, agents }, draw) =>
    said(draw.pick(agents), "/api/desk/reconciliations"),
  ),
  /** Background loops run once, beside all the others. */
  work: often(10, async ({ app }) => {
    // A struck poller throws; in production it would poll again.
    const ignoreOutage = (error: unknown): void => {
      if (!(error instanceof Outage)) throw error;
    };
    await Promise.all(app.app.loops.map((loop) => loop.drain().catch(ignoreOutage)));
    return "worked";
  }),
  pass: often(7, async ({ app }, draw) => {
    const ms = draw.pick([MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 5 * HOUR_MS, DAY_MS]);
    app.clock.advance(ms);
    return `${ms / MINUTE_MS} min`;
  }),
};

const ACTS = Object.entries<Act>({ ...BUYING, ...GIVING_BACK, ...WITHDRAWING, ...LIVING });
/** Each as often as its weight. */
const DRAWN = ACTS.flatMap((each) => Array.from({ length: each[1].often }, () => each));

type Ask = (...args: unknown[]) => Promise<unknown>;
type Lightning = ReturnType<typeof startLightning>;

const BOLTS = ["conflict", "lost-before", "lost-after"] as const;
const DEADLOCK = "DO $$ BEGIN RAISE EXCEPTION 'storm' USING ERRCODE = '40P01'; END $$";

/**
 * Strikes statements of the application's pool, always the same nth for one seed: a deadlock, or a
 * connection that ends before the statement arrives or after it was executed, COMMIT included. The
 * latter two are what the database sees of a killed process. The test's own connections (a pool of
 * two) are spared. Call it before the application opens its pool.
 */
function startLightning(draw: Draw) {
  const prototype = pg.Pool.prototype as { connect: Ask };
  const { connect } = prototype;
  const lightning = {
    /** One statement in so many is struck; 0: none. */
    oneIn: 0,
    struck: 0,
    /** Ends the strikes. */
    stop: () => void (prototype.connect = connect),
  };
  prototype.connect = async function (this: pg.Pool, ...args) {
    const client = (await connect.apply(this, args)) as pg.PoolClient;
    const isSpared = this.options.max === 2 || args.length > 0;
    if (!isSpared && !Object.hasOwn(client, "query")) wire(client, lightning, draw);
    return client;
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
    if (bolt === "lost-before") return end();
    if (bolt === "conflict" && !/^(begin|commit|rollback|start)/i.test(text)) return ask(DEADLOCK);
    const answer = await ask(...args);
    return bolt === "lost-after" ? end() : answer;
  };
  Object.defineProperty(client, "query", { value: query });
}

/** All services answer again, time passes, and everything automatic is decided. */
async function settleDown(storm: StormState): Promise<void> {
  const { app } = storm;
  app.emulators.panel.clearFaults({});
  app.emulators.fedapay.enableWebhook();
  for (const rail of PAYOUT_RAILS) {
    const payouts = payoutsOf(storm, rail);
    payouts.clearFaults();
    for (const { id } of openAt(payouts)) payouts.settle(id, "success");
  }
  await app.drain();
  for (let count = 0; count < 24; count++) await app.advance(5 * HOUR_MS);
}

/** People do what is left to them, until nothing is. → what they could not end */
async function decideAll(storm: StormState, draw: Draw): Promise<string[]> {
  let left: string[] = [];
  for (let count = 0; count < 10; count++) {
    // A seller whose account closed before everything had arrived opens it again: an operator may.
    for (const { id } of storm.sellers) {
      for (const measure of ["unfreeze", "resume", "reopen"]) {
        await storm.asOperator(draw, `sellers/${id}/${measure}`, { reason: "Terminé" });
      }
    }
    left = await undecided(storm);
    for (const [, { all }] of ACTS) left.push(...((await all?.(storm, draw)) ?? []));
    await storm.app.drain();
    if (left.length === 0) break;
    await storm.app.advance(30 * MINUTE_MS);
  }
  return left;
}
