import type { AnswerOf } from "@sesame/contract/routes";
import { MINUTE_MS } from "@sesame/kernel";
import { check } from "@sesame/ledger";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type SignedInSeller, startTestApp, type TestApp } from "../../../test/harness.ts";
import { askWithdrawal, fundSeller, sellerBalance } from "../../../test/withdrawals.ts";
import { many } from "../../postgres/database.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterEach(async () => {
  expect(await check(app.db)).toEqual([]);
});
afterAll(() => app?.close());

const cancel = (seller: SignedInSeller, id: string, key?: string) =>
  app.call<AnswerOf<"GET /api/users/retrait/:id"> & { message: string }>(
    "DELETE",
    `/api/users/retrait/annuler/${id}`,
    {
      token: seller.token,
      ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
    },
  );

async function sellerWithRequest(plan: "free" | "premium" = "premium") {
  const seller = await app.signInSeller();
  await fundSeller(app, seller, 10_000, plan);
  return { seller, ...(await askWithdrawal(app, seller)) };
}

const claim = (id: string, agent: bigint, until: Date) =>
  sql`UPDATE withdrawals SET claimed_by = ${agent}, claimed_until = ${until}
    WHERE id = ${BigInt(id)} AND status = 'pending'`.execute(app.db);

async function changePlan(seller: SignedInSeller, plan: "free" | "premium"): Promise<void> {
  await sql`UPDATE sellers SET plan = ${plan} WHERE id = ${BigInt(seller.id)}`.execute(app.db);
}

const transfers = async (pattern: string) => {
  return many<{ id: string; legs: string }>(app.db)`
    SELECT id, legs FROM ledger_transfers WHERE id = ${pattern}`;
};

describe("a cancelled request", () => {
  test("gives the francs back, and is no longer cancelled twice", async () => {
    const { seller, id } = await sellerWithRequest();
    const answer = await cancel(seller, id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      success: true,
      demande: { id, status: "cancelled", annulable: false },
      available: 10_000,
    });
    expect(await sellerBalance(app, seller, "premium")).toMatchObject({
      held: 0,
      available: 10_000,
    });
    const again = await cancel(seller, id);
    expect([again.status, again.body.message]).toEqual([409, "Opération impossible"]);
  });

  test("is answered again as before under its key, and the key serves no other", async () => {
    const { seller, id } = await sellerWithRequest();
    const first = await cancel(seller, id, "c1");
    const again = await cancel(seller, id, "c1");
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await askWithdrawal(app, seller);
    expect((await cancel(seller, other.id, "c1")).status).toBe(409);
    expect((await cancel(seller, other.id, "c2")).status).toBe(200);
  });

  test("is cancelled once by twenty taps at once", async () => {
    const { seller, id } = await sellerWithRequest();
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(seller, id)));
    const tally = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(tally).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    expect(await sellerBalance(app, seller, "premium")).toMatchObject({
      held: 0,
      available: 10_000,
    });
  });

  test("is impossible while an agent has taken it, and possible when his time is over", async () => {
    const { seller, id } = await sellerWithRequest();
    const agent = BigInt((await app.signInSeller()).id);
    await claim(id, agent, new Date(app.clock.now().getTime() + 15 * MINUTE_MS));
    const { body } = await app.call<AnswerOf<"GET /api/users/retrait/:id">>(
      "GET",
      `/api/users/retrait/${id}`,
      seller,
    );
    expect(body.demande.annulable).toBe(false);
    const taken = await cancel(seller, id);
    expect([taken.status, taken.body.message]).toEqual([409, "Opération impossible"]);
    app.clock.advance(15 * MINUTE_MS);
    expect((await cancel(seller, id)).status).toBe(200);
  });

  test("races an agent's claim: one of the two, never both", async () => {
    const agent = BigInt((await app.signInSeller()).id);
    for (let round = 0; round < 10; round += 1) {
      const { seller, id } = await sellerWithRequest();
      const until = new Date(app.clock.now().getTime() + 15 * MINUTE_MS);
      const [answer, claimed] = await Promise.all([cancel(seller, id), claim(id, agent, until)]);
      expect(answer.status === 200).toBe(claimed.numAffectedRows === 0n);
      const { held } = await sellerBalance(app, seller, "premium");
      expect(held).toBe(answer.status === 200 ? 0 : 1_000);
    }
  });
});

describe("a change of plan between request and cancellation", () => {
  test("brings the francs to the account of the present plan, visibly", async () => {
    const { seller, id } = await sellerWithRequest("premium");
    await changePlan(seller, "free");
    expect((await cancel(seller, id)).status).toBe(200);
    expect(await sellerBalance(app, seller, "premium")).toEqual({
      posted: 9_000,
      held: 0,
      available: 9_000,
    });
    expect(await sellerBalance(app, seller, "free")).toEqual({
      posted: 1_000,
      held: 0,
      available: 1_000,
    });
    expect(await transfers(`move:${id}`)).toHaveLength(1);
  });

  test("moves nothing when he came back to the plan he had", async () => {
    const { seller, id } = await sellerWithRequest("free");
    await changePlan(seller, "premium");
    await changePlan(seller, "free");
    expect((await cancel(seller, id)).status).toBe(200);
    expect(await transfers(`move:${id}`)).toEqual([]);
    expect(await sellerBalance(app, seller, "free")).toMatchObject({ available: 10_000, held: 0 });
  });
});
