import { MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chanceOf, SEED } from "../../../../../../tools/testing/seeded.ts";
import { type SignedInBuyer, startTestApp, type TestApp } from "../../../../test/harness.ts";
import {
  createDeskFixtures,
  DESK_ENV,
  type DeskFixtures,
  sellerBalance,
} from "../../../../test/withdrawals.ts";
import { checkChain } from "../../../audit/audit.store.ts";

let app: TestApp;
let desk: DeskFixtures;
let agents: readonly SignedInBuyer[];

beforeAll(async () => {
  app = await startTestApp({ env: DESK_ENV });
  desk = createDeskFixtures(app);
  agents = await desk.agents(6);
});
afterAll(() => app?.close());

const ACTS: readonly (readonly [string, (n: number) => unknown])[] = [
  ["claim", () => ({})],
  ["claim", () => ({})],
  ["release", () => ({})],
  ["approve", () => ({ lane: "manual" })],
  ["approve", (n) => ({ lane: "manual", reference: `RACE-${n}` })],
  ["approve", () => ({ lane: "paydunya" })],
  ["paid", (n) => ({ reference: `RACE-${n % 3}` })],
  ["failed", () => ({ reason: "Plafond atteint" })],
  ["reject", () => ({ reason_code: "suspicious" })],
];

const AMOUNTS = [1_000, 60_000, 120_000];

async function storm(nth: number): Promise<void> {
  const chance = chanceOf(SEED + nth);
  const roll = (sides: number) => Math.floor(chance() * sides);
  const amount = AMOUNTS[roll(AMOUNTS.length)] ?? 1_000;
  const { id, seller } = await desk.request({ amount });
  const answers: number[] = [];
  for (let wave = 0; wave < 4; wave += 1) {
    const calls = Array.from({ length: 10 }, (_, turn) => {
      const agent = agents[roll(agents.length)] ?? { token: "" };
      const [action, body] = ACTS[roll(ACTS.length)] ?? ["claim", () => ({})];
      return desk.act(agent, { id, action, body: body(nth * 100 + wave * 10 + turn) });
    });
    const path = `/api/users/retrait/annuler/${id}`;
    const cancel = roll(6) === 0 ? [app.call("DELETE", path, { token: seller.token })] : [];
    answers.push(...(await Promise.all([...calls, ...cancel])).map(({ status }) => status));
    if (roll(3) === 0) app.clock.advance(16 * MINUTE_MS);
    if (roll(3) === 0) await app.drain();
  }
  expect(answers.filter((status) => status >= 500)).toEqual([]);
  await settle();
  const alive = (await desk.payouts(id)).filter(({ status }) => status !== "failed");
  const { posted, held } = await sellerBalance(app, seller, "premium");
  const { status } = await desk.detail(agents[0] ?? seller, id);
  const kept = status === "approved" ? 0 : amount;
  expect({ status, alive: alive.length, posted, held }).toEqual({
    status,
    alive: status === "approved" ? 1 : 0,
    posted: kept,
    held: status === "pending" ? amount : 0,
  });
}

/** Providers end what they were asked to send. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await app.drain();
    app.clock.advance(MINUTE_MS);
  }
  await app.drain();
}

test(`whatever agents and the seller do at once, a request has one end and its francs one place (SESAME_SEED=${SEED})`, {
  timeout: 600_000,
}, async () => {
  for (let nth = 1; nth <= 25; nth += 1) await storm(nth);
  const { rows: sums } = await sql<{ sum: bigint }>`
    SELECT coalesce(sum(amount), 0)::bigint AS sum FROM ledger_entries
  `.execute(app.db);
  expect(sums[0]?.sum).toBe(0n);
  // Deeds written at once stand in one chain.
  expect(await checkChain(app.db)).toEqual([]);
  const { rows: twice } = await sql`
    SELECT withdrawal_id FROM payouts WHERE status = 'succeeded'
    GROUP BY withdrawal_id HAVING count(*) > 1
  `.execute(app.db);
  expect(twice).toEqual([]);
});
