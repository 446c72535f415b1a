import type { AnswerOf } from "@sesame/contract/routes";
import type { PurseOnWire } from "@sesame/contract/treasury";
import { PAYOUT_METHOD_IDS } from "@sesame/contract/withdrawals";
import { assert, DAY_MS, HOUR_MS } from "@sesame/kernel";
import { sql } from "kysely";
import type { DeskScene } from "./desk-scene.ts";
import type { TestApp } from "./harness.ts";

const dayOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);

/** Days and floats of a test's own on a desk that several share. */
export function createDayScene(app: TestApp, scene: DeskScene) {
  const payingFloat = "float:orange-money-ci";
  const untouched = PAYOUT_METHOD_IDS.map((id) => `float:${id}`).filter(
    (account) => account !== payingFloat && !account.includes("mtn"),
  );
  return {
    /** What the requests of a scene are paid from. */
    payingFloat,
    /** Of an operator in whose floats nothing is ever put. */
    emptyFloat: "float:mtn-ci",
    /** Nine o'clock of the next day. → that day and the one after it */
    nextDay(): { day: string; next: string } {
      const now = app.clock.now().getTime();
      const midnight = Math.ceil(now / DAY_MS) * DAY_MS;
      app.clock.advance(midnight + 9 * HOUR_MS - now);
      return { day: dayOf(midnight), next: dayOf(midnight + DAY_MS) };
    },
    /** A float nothing was put in yet. */
    takeFloat(): string {
      const float = untouched.pop();
      assert(float, "there are as many floats as tests that need one");
      return float;
    },
    async purse(who: { token: string }, date: string, account: string): Promise<PurseOnWire> {
      const { body } = await scene.call<AnswerOf<"GET /api/desk/day">>(who, `/day?date=${date}`);
      const found = body.purses.find((each) => each.account === account);
      assert(found, `the day has ${account}`);
      return found;
    },
    async balance(key: string): Promise<bigint> {
      const { rows } = await sql<{ balance: bigint }>`
        SELECT ledger_balance(id) AS balance FROM ledger_accounts WHERE key = ${key}
      `.execute(app.db);
      return rows[0]?.balance ?? 0n;
    },
  };
}

export type DayScene = ReturnType<typeof createDayScene>;
