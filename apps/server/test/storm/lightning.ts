import pg from "pg";
import { destroySocket } from "../../src/postgres/connections.ts";
import type { Draw } from "./draw.ts";

export type Lightning = {
  /** One statement in so many is struck; 0: none. */
  oneIn: number;
  struck: number;
  /** Statements are the database's again. */
  stop(): void;
};

type Ask = (...args: unknown[]) => Promise<unknown>;
type Bolt = "conflict" | "lost-before" | "lost-after";

const BOLTS: readonly Bolt[] = ["conflict", "lost-before", "lost-after"];
const DEADLOCK = "DO $$ BEGIN RAISE EXCEPTION 'storm' USING ERRCODE = '40P01'; END $$";

/**
 * Strikes statements of the application's pool, the nth always alike for one seed: a deadlock, or a
 * connection that ends before the statement arrives or after it was done, COMMIT included. To the
 * database the latter two are what it sees of a process that is killed there. Connections of the
 * test's own (a pool of two) are spared. Before the application opens its own.
 */
export function startLightning(draw: Draw): Lightning {
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
