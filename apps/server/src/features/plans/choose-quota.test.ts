import type { AnswerOf } from "@sesame/contract/routes";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SignedInSeller, startTestApp, type TestApp } from "../../../test/harness.ts";
import { fundSeller } from "../../../test/withdrawals.ts";

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.close());

async function newSeller(): Promise<SignedInSeller> {
  const seller = await app.signInSeller();
  await fundSeller(app, seller, 0, "free");
  return seller;
}

describe("the three groups of the free plan", () => {
  const choose = (seller: SignedInSeller, groups: readonly unknown[]) =>
    app.call<AnswerOf<"PUT /api/groups/quota"> & { code: string; message: string }>(
      "PUT",
      "/api/groups/quota",
      {
        token: seller.token,
        body: { groups },
      },
    );
  const inQuota = ({ channels }: AnswerOf<"PUT /api/groups/quota">) =>
    channels.filter(({ details }) => details.in_quota).map(({ id }) => id);

  test("are the oldest, behind those he picked; on premium all sell", async () => {
    const seller = await newSeller();
    const ids: string[] = [];
    for (const title of ["A", "B", "C", "D", "E"]) {
      ids.push((await app.linkGroup(seller, { title })).id);
    }
    const [a = "", b = "", c = "", d = "", e = ""] = ids;
    const open = async () => {
      const { rows } = await sql<{ id: bigint }>`
        SELECT id FROM groups g WHERE seller_id = ${BigInt(seller.id)} AND group_in_quota(g)
        ORDER BY id
      `.execute(app.db);
      return rows.map(({ id }) => String(id));
    };
    expect(await open()).toEqual([a, b, c]);
    await sql`
      UPDATE groups SET quota_rank = CASE id WHEN ${BigInt(d)} THEN 1 ELSE 2 END
      WHERE id IN (${BigInt(d)}, ${BigInt(e)})
    `.execute(app.db);
    expect(await open()).toEqual([a, d, e]);
    await fundSeller(app, seller, 0, "premium");
    expect(await open()).toEqual(ids);
  });

  test("are the seller's choice, exactly, of his own, in his order", async () => {
    const seller = await newSeller();
    const ids: string[] = [];
    for (const title of ["A", "B", "C", "D", "E"]) {
      ids.push((await app.linkGroup(seller, { title })).id);
    }
    const [a = "", b = "", c = "", d = "", e = ""] = ids;
    const other = await newSeller();
    const foreign = (await app.linkGroup(other, { title: "Z" })).id;
    for (const wrong of [[], [a, b], [a, b, c, d], [a, a, b]]) {
      const refused = await choose(seller, wrong);
      expect([refused.status, refused.body.code]).toEqual([422, "plans.quota-count"]);
      expect(refused.body.message).toContain("exactement 3");
    }
    for (const unknown of [
      [a, b, foreign],
      [a, b, "999999999"],
    ]) {
      expect((await choose(seller, unknown)).status).toBe(404);
    }
    const chosen = await choose(seller, [e, a, d]);
    expect(inQuota(chosen.body).sort()).toEqual([a, d, e].sort());
    const { rows } = await sql<{ quota_rank: number | null }>`
      SELECT quota_rank FROM groups WHERE seller_id = ${BigInt(seller.id)} ORDER BY id
    `.execute(app.db);
    expect(rows.map((row) => row.quota_rank)).toEqual([2, null, null, 3, 1]);
    await choose(seller, [e, a, d]);
    expect(inQuota((await choose(seller, [b, c, d])).body).sort()).toEqual([b, c, d].sort());
    const log = await sql<{ after: unknown }>`
      SELECT after FROM audit_log WHERE subject = ${`seller:${seller.id}`} AND action = 'groups.quota'
      ORDER BY seq
    `.execute(app.db);
    expect(log.rows.map(({ after }) => after)).toEqual([
      { groups: [e, a, d] },
      { groups: [b, c, d] },
    ]);
    // Fewer groups than places: all of them.
    expect((await choose(other, [foreign])).status).toBe(200);
  });
});
