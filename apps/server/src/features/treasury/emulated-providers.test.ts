import { MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPayoutApp, type PayoutFixtures } from "../../../test/payouts.ts";

const house = createPayoutApp();
let stage: PayoutFixtures;

afterAll(() => house.close());
beforeEach(async () => {
  stage = await house.openStage();
});
afterEach(async () => {
  expect(await stage.broken()).toEqual([]);
  stage.close();
});

const LANES = ["paydunya", "moneroo", "fedapay"] as const;
type Provided = (typeof LANES)[number];
const METHOD = { method: "mtn-benin", phone: "+2290197000000" };

const deskOf = (lane: Provided) => stage.deskOf(lane);

async function approved(lane: Provided, amount = 5_000): Promise<bigint> {
  const id = await stage.ask(amount, METHOD);
  expect(await stage.approve(id, lane)).toMatchObject({ ok: true });
  await stage.drive();
  return id;
}

/** Until it ended, by looks and notices, an hour at most. */
async function untilEnded(id: bigint): Promise<string> {
  for (let minutes = 0; minutes < 60; minutes++) {
    const { status } = await stage.stateOf(id);
    if (status === "succeeded" || status === "failed") return status;
    await stage.advance(MINUTE_MS);
  }
  return (await stage.stateOf(id)).status;
}

describe.each(LANES)("a payout by the emulated %s", (lane) => {
  test("is received once, with what the provider took for it", async () => {
    const id = await approved(lane);
    expect(await untilEnded(id)).toBe("succeeded");
    const theirs = deskOf(lane).list();
    expect(theirs).toMatchObject([{ reference: `wd-${id}-1`, amount: 5_000, status: "success" }]);
    const { cost } = await stage.stateOf(id);
    expect(await stage.balance(`provider:${lane}`)).toBe(5_000n + cost);
  });

  test("ends with the notice, before any look", async () => {
    const id = await approved(lane);
    deskOf(lane).settle(`wd-${id}-1`, "success");
    await stage.drive();
    expect(await stage.stateOf(id)).toMatchObject({ status: "succeeded" });
    const { rows } = await sql<{ count: bigint }>`
      SELECT count(*) AS count FROM payout_notices`.execute(stage.db);
    expect(rows[0]?.count).toBeGreaterThan(0n);
  });

  test("that failed there gives the francs back", async () => {
    const id = await approved(lane);
    deskOf(lane).settle(`wd-${id}-1`, "failed", "Number barred");
    await stage.drive();
    expect(await untilEnded(id)).toBe("failed");
    expect(await stage.balance(`seller:${stage.seller.id}:premium`)).toBe(1_000_000n);
    expect(await stage.balance("payouts:in-transit")).toBe(0n);
  });

  test.each(["timeout-after", "500-after", "late-success", "slow"] as const)(
    "met by %s is sent exactly once",
    async (fault) => {
      deskOf(lane).fault(fault, fault === "slow" ? { afterMs: 5, times: 1 } : {});
      const id = await approved(lane);
      await stage.advance(10 * MINUTE_MS);
      await stage.advance(6 * 60 * MINUTE_MS);
      expect(await untilEnded(id)).toBe("succeeded");
      expect(deskOf(lane).list()).toHaveLength(1);
    },
  );

  test("that its float cannot pay gives the francs back and tells the desk", async () => {
    deskOf(lane).fault("insufficient-float");
    const id = await approved(lane);
    expect(await untilEnded(id)).toBe("failed");
    expect(await stage.alerts()).toEqual(["payout.float-short"]);
    expect(
      deskOf(lane)
        .list()
        .filter(({ sentAt }) => sentAt !== null),
    ).toEqual([]);
    expect(await stage.balance(`seller:${stage.seller.id}:premium`)).toBe(1_000_000n);
  });

  test("whose amount they tell wrong stays open and is the desk's", async () => {
    deskOf(lane).fault("wrong-amount");
    const id = await approved(lane);
    await stage.advance(MINUTE_MS);
    expect(await stage.alerts()).toContain("payout.mismatch");
    expect(await stage.withdrawal(id)).toMatchObject({ status: "approved", paid_at: null });
    deskOf(lane).clearFaults();
    expect(await untilEnded(id)).toBe("succeeded");
  });
});

describe.each(["paydunya", "fedapay"] as const)("a connection to %s that broke", (lane) => {
  test("before it was heard is made again after two minutes, once", async () => {
    deskOf(lane).fault("timeout-before");
    const id = await approved(lane);
    expect(await stage.stateOf(id)).toMatchObject({ status: "uncertain" });
    expect(await untilEnded(id)).toBe("succeeded");
    expect(deskOf(lane).list()).toHaveLength(1);
  });

  test("at its first step moves nothing, and is tried again", async () => {
    deskOf(lane).fault("timeout-after", { call: "prepare" });
    const id = await approved(lane);
    expect(await untilEnded(id)).toBe("succeeded");
    const sent = deskOf(lane)
      .list()
      .filter(({ sentAt }) => sentAt !== null);
    expect(sent).toHaveLength(1);
  });
});

describe("Moneroo, which names no payout by our reference", () => {
  test("is never told twice, and its notice names what it took", async () => {
    deskOf("moneroo").notices.drop = true;
    deskOf("moneroo").fault("timeout-after");
    const id = await approved("moneroo");
    await stage.advance(30 * MINUTE_MS);
    expect(await stage.stateOf(id)).toMatchObject({ status: "uncertain", providerPayoutId: null });
    expect(await stage.alerts()).toEqual(["payout.uncertain"]);
    expect(deskOf("moneroo").list()).toHaveLength(1);
    deskOf("moneroo").notices.drop = false;
    const notice = deskOf("moneroo").noticeViews().at(-1);
    expect(notice).toBeDefined();
    if (notice) deskOf("moneroo").repeatNotice(notice.id);
    await stage.drive();
    expect(await untilEnded(id)).toBe("succeeded");
    expect(await stage.alerts()).toEqual([]);
  });

  test("tells of a payout nobody asked for: the desk hears it, and nothing moves", async () => {
    const planted = deskOf("moneroo").plant({
      amount: 7_000,
      reference: "wd-999-1",
      status: "pending",
    });
    deskOf("moneroo").settle(planted.id, "success");
    await stage.drive();
    expect(await stage.alerts()).toEqual(["payout.unknown"]);
    expect(await stage.balance("provider:moneroo")).toBe(0n);
  });
});

test("a notice without a true signature is refused, and an empty trial of PayDunya's is not", async () => {
  const call = (path: string, body?: object) =>
    stage.app.call("POST", path, body === undefined ? {} : { body });
  expect(await call("/webhooks/paydunya", { data: { hash: "x" } })).toMatchObject({ status: 403 });
  expect(await call("/webhooks/fedapay", { name: "payout.sent" })).toMatchObject({ status: 403 });
  expect(await call("/webhooks/moneroo", { event: "payout.success" })).toMatchObject({
    status: 403,
  });
  expect(await call("/webhooks/paydunya")).toMatchObject({ status: 200 });
  expect(await call("/webhooks/fedapay")).toMatchObject({ status: 403 });
});
