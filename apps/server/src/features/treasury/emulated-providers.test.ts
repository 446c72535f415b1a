import { assert, MINUTE_MS } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import { createPayoutApp, PAYOUT_RAILS, type ProviderRail } from "../../../test/payouts.ts";

const setup = createPayoutApp().each();

const METHOD = { method: "mtn-benin", phone: "+2290197000000" };

const payoutsOf = (rail: ProviderRail) => setup.payoutsOf(rail);

async function approved(rail: ProviderRail): Promise<bigint> {
  const id = await setup.ask(5_000, METHOD);
  expect(await setup.approve(id, rail)).toMatchObject({ ok: true });
  await setup.drive();
  return id;
}

/** Those the provider has sent. */
const sentBy = (rail: ProviderRail) =>
  payoutsOf(rail)
    .list()
    .filter(({ sentAt }) => sentAt !== null);

/** Runs until it ended, by lookups and webhooks, for an hour at most. */
async function untilEnded(id: bigint): Promise<string> {
  for (let minutes = 0; minutes < 60; minutes++) {
    const { status } = await setup.stateOf(id);
    if (status === "succeeded" || status === "failed") return status;
    await setup.advance(MINUTE_MS);
  }
  return (await setup.stateOf(id)).status;
}

describe.each(PAYOUT_RAILS)("a payout by the emulated %s", (rail) => {
  test("is received once, with the provider's fee", async () => {
    const id = await approved(rail);
    expect(await untilEnded(id)).toBe("succeeded");
    const theirs = payoutsOf(rail).list();
    expect(theirs).toMatchObject([{ reference: `wd-${id}-1`, amount: 5_000, status: "success" }]);
    const { cost } = await setup.stateOf(id);
    expect(await setup.balance(`provider:${rail}`)).toBe(5_000n + cost);
  });

  test("ends with the webhook, before any lookup", async () => {
    const id = await approved(rail);
    payoutsOf(rail).settle(`wd-${id}-1`, "success");
    await setup.drive();
    expect(await setup.stateOf(id)).toMatchObject({ status: "succeeded" });
    expect(await setup.sql`SELECT FROM payout_webhooks`).not.toEqual([]);
  });

  test("that failed there returns the francs", async () => {
    const id = await approved(rail);
    payoutsOf(rail).settle(`wd-${id}-1`, "failed", "Number barred");
    await setup.drive();
    expect(await untilEnded(id)).toBe("failed");
    expect(await setup.balance(`seller:${setup.seller.id}:premium`)).toBe(1_000_000n);
    expect(await setup.balance("payouts:in-transit")).toBe(0n);
  });

  test.each(["timeout-after", "500-after", "late-success", "slow"] as const)(
    "with the fault %s is sent exactly once",
    async (fault) => {
      payoutsOf(rail).fault(fault, fault === "slow" ? { afterMs: 5, times: 1 } : {});
      const id = await approved(rail);
      await setup.advance(10 * MINUTE_MS);
      await setup.advance(6 * 60 * MINUTE_MS);
      expect(await untilEnded(id)).toBe("succeeded");
      expect(payoutsOf(rail).list()).toHaveLength(1);
    },
  );

  test("that the balance at the provider cannot pay returns the francs and alerts the back office", async () => {
    payoutsOf(rail).fault("insufficient-float");
    const id = await approved(rail);
    expect(await untilEnded(id)).toBe("failed");
    expect(await setup.alerts()).toEqual(["payout.float-short"]);
    expect(sentBy(rail)).toEqual([]);
    expect(await setup.balance(`seller:${setup.seller.id}:premium`)).toBe(1_000_000n);
  });

  test("reported with a wrong amount stays open and is left to the back office", async () => {
    payoutsOf(rail).fault("wrong-amount");
    const id = await approved(rail);
    await setup.advance(MINUTE_MS);
    expect(await setup.alerts()).toContain("payout.mismatch");
    expect(await setup.withdrawal(id)).toMatchObject({ status: "approved", paid_at: null });
    payoutsOf(rail).clearFaults();
    expect(await untilEnded(id)).toBe("succeeded");
  });
});

describe.each(["paydunya", "fedapay"] as const)("a connection to %s that broke", (rail) => {
  test("before the request arrived is made again after two minutes, once", async () => {
    payoutsOf(rail).fault("timeout-before");
    const id = await approved(rail);
    expect(await setup.stateOf(id)).toMatchObject({ status: "uncertain" });
    expect(await untilEnded(id)).toBe("succeeded");
    expect(payoutsOf(rail).list()).toHaveLength(1);
  });

  test("at its first step moves nothing, and is retried", async () => {
    payoutsOf(rail).fault("timeout-after", { call: "prepare" });
    const id = await approved(rail);
    expect(await untilEnded(id)).toBe("succeeded");
    expect(sentBy(rail)).toHaveLength(1);
  });
});

describe("Moneroo, which finds no payout by our reference", () => {
  test("gets no payout twice, and its webhook names the accepted one", async () => {
    payoutsOf("moneroo").webhooks.drop = true;
    payoutsOf("moneroo").fault("timeout-after");
    const id = await approved("moneroo");
    await setup.advance(30 * MINUTE_MS);
    expect(await setup.stateOf(id)).toMatchObject({ status: "uncertain", providerPayoutId: null });
    expect(await setup.alerts()).toEqual(["payout.uncertain"]);
    expect(payoutsOf("moneroo").list()).toHaveLength(1);
    payoutsOf("moneroo").webhooks.drop = false;
    const webhook = payoutsOf("moneroo").webhookViews().at(-1);
    assert(webhook, "the provider sent a webhook");
    payoutsOf("moneroo").repeatWebhook(webhook.id);
    await setup.drive();
    expect(await untilEnded(id)).toBe("succeeded");
    expect(await setup.alerts()).toEqual([]);
  });

  test("reports a payout nobody requested: the back office is alerted, and nothing moves", async () => {
    const unknown = { amount: 7_000, reference: "wd-999-1", status: "pending" } as const;
    const planted = payoutsOf("moneroo").plant(unknown);
    payoutsOf("moneroo").settle(planted.id, "success");
    await setup.drive();
    expect(await setup.alerts()).toEqual(["payout.unknown"]);
    expect(await setup.balance("provider:moneroo")).toBe(0n);
  });
});

test("a webhook without a valid signature is refused, and an empty test call of PayDunya is not", async () => {
  const call = async (rail: ProviderRail, body?: object) =>
    (await setup.app.call("POST", `/webhooks/${rail}`, { body })).status;
  expect(await call("paydunya", { data: { hash: "x" } })).toBe(403);
  expect(await call("fedapay", { name: "payout.sent" })).toBe(403);
  expect(await call("moneroo", { event: "payout.success" })).toBe(403);
  expect(await call("paydunya")).toBe(200);
  expect(await call("fedapay")).toBe(403);
});
