import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { adjustableClock } from "@sesame/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AWA, callers } from "../testing/payouts.ts";
import { testWorld, type TestWorld } from "../testing/test-world.ts";
import { payoutFaults } from "./faults.ts";

let world: TestWorld;
let folder: string;
const calls = callers(() => world);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "world-"));
});

afterEach(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

const CUSTOMER = { firstname: "Awa", lastname: "Koné", email: "awa@example.com" };

async function sendOneByEach() {
  const invoice = await calls.paydunya("get-invoice", {
    account_alias: "0700000001",
    amount: 1000,
    withdraw_mode: "orange-money-ci",
    callback_url: "http://127.0.0.1:9/webhooks/paydunya",
  });
  const token = String(invoice.body.disburse_token);
  await calls.paydunya("submit-invoice", { disburse_invoice: token, disburse_id: "wd-1" });
  const created = await calls.fedapay("POST", "/payouts", {
    amount: 2000,
    currency: { iso: "XOF" },
    mode: "orange_ci",
    merchant_reference: "wd-2",
    customer: { ...CUSTOMER, phone_number: { number: AWA, country: "ci" } },
  });
  const { id } = created.body["v1/payout"] as { id: number };
  await calls.fedapay("PUT", "/payouts/start", { payouts: [{ id }] });
  await calls.moneroo("POST", "/payouts/initialize", {
    amount: 3000,
    currency: "XOF",
    description: "Retrait",
    method: "orange_ci",
    customer: { first_name: "Awa", last_name: "Koné", email: "awa@example.com" },
    recipient: { msisdn: AWA.slice(1) },
    metadata: { reference: "wd-3" },
  });
}

describe("money on its way", () => {
  test("arrives after the world has been stopped and started, once", async () => {
    const statePath = join(folder, "world.json");
    world = await testWorld({ statePath, clock: adjustableClock() });
    await sendOneByEach();
    const before = world.state().payouts;
    expect(before.map(({ status }) => status)).toEqual(["queued", "queued", "queued"]);
    await world.close();
    world = await testWorld({ statePath, clock: adjustableClock() });
    expect(world.state().payouts).toEqual(before);
    world.clock.advance(5_000);
    expect(world.state().payouts.map(({ status }) => status)).toEqual([
      "success",
      "success",
      "success",
    ]);
    world.clock.advance(5_000);
    expect(
      world.mobileMoney
        .sms(AWA)
        .map(({ amount }) => amount)
        .sort(),
    ).toEqual([1000, 2000, 3000]);
    expect(world.mobileMoney.wallets().find(({ phone }) => phone === AWA)?.balance).toBe(6000);
    await world.close();
    world = await testWorld({ statePath, clock: adjustableClock() });
    expect(world.mobileMoney.sms(AWA)).toHaveLength(3);
    expect(world.paydunya.floats()).toEqual({ main: 10_000_000 - 1000 });
  });

  test("is found in a file of the days before there was any", async () => {
    const statePath = join(folder, "world.json");
    world = await testWorld({ statePath });
    world.telegram.createPerson({ firstName: "Yao" });
    await world.close();
    const saved = JSON.parse(readFileSync(statePath, "utf8")) as Record<string, unknown>;
    const { payments, notices, nextNoticeId } = saved.moneroo as Record<string, unknown>;
    const { paydunya: _p, fedapay: _f, mobileMoney: _m, ...older } = saved;
    const moneroo = { payments, notices, nextNoticeId };
    writeFileSync(statePath, JSON.stringify({ ...older, moneroo }));
    world = await testWorld({ statePath });
    expect(world.state().wallets[0]).toMatchObject({ phone: AWA, personId: world.seller });
    await sendOneByEach();
    world.clock.advance(5_000);
    expect(world.mobileMoney.sms(AWA)).toHaveLength(3);
  });

  test("is told by the panel's own calls", async () => {
    world = await testWorld();
    world.panel.setPayoutFault({ provider: "paydunya", kind: "stay-pending" });
    await sendOneByEach();
    const [payout] = world.paydunya.list();
    world.clock.advance(3_600_000);
    expect(world.paydunya.find("wd-1")?.status).toBe("pending");
    const payoutId = payout?.id ?? "";
    world.panel.settlePayout({ provider: "paydunya", payoutId, outcome: "success" });
    expect(world.paydunya.find(payoutId)).toMatchObject({ status: "success" });
    world.panel.setFloat({ provider: "fedapay", account: "mtn_ci", amount: 5 });
    expect(world.state().floats).toContainEqual({
      provider: "fedapay",
      account: "mtn_ci",
      amount: 5,
    });
    const planted = world.panel.plantPayout({ provider: "moneroo", amount: 400 });
    expect(world.moneroo.payouts.find(planted.id)).toMatchObject({ planted: true });
    world.panel.forgetPayout({ provider: "moneroo", payoutId: planted.id });
    expect(world.moneroo.payouts.find(planted.id)).toBe(undefined);
    const unknown = { provider: "toString", kind: "down" } as unknown;
    const wrong = unknown as Parameters<typeof world.panel.setPayoutFault>[0];
    expect(() => world.panel.setPayoutFault(wrong)).toThrow("no provider");
  });

  test("goes well again once every fault is cleared", async () => {
    world = await testWorld();
    for (const provider of ["paydunya", "moneroo", "fedapay"] as const) {
      world.panel.setPayoutFault({ provider, kind: "down" });
    }
    expect(world.state().faults.payouts.fedapay).toEqual([
      { kind: "down", call: "any", times: null, afterMs: 0 },
    ]);
    expect((await calls.fedapay("GET", "/balances")).status).toBe(503);
    world.panel.clearFaults({});
    expect((await calls.fedapay("GET", "/balances")).status).toBe(200);
    expect(world.state().faults.payouts).toEqual({ paydunya: [], moneroo: [], fedapay: [] });
  });
});

test("an account nobody has is refused by each provider", async () => {
  world = await testWorld({ paydunya: undefined, fedapay: undefined } as object);
  expect((await calls.paydunya("check-status", {})).body.response_code).toBe("1001");
  expect((await calls.fedapay("GET", "/balances")).status).toBe(401);
});

test("a fault hits the step it is set for, as often as it was told", async () => {
  world = await testWorld();
  const faults = payoutFaults({ clock: world.clock, changed: () => undefined });
  faults.add({ kind: "refuse" });
  faults.add({ kind: "wrong-amount" });
  faults.add({ kind: "429", times: 2 });
  const kindsOf = (steps: Parameters<typeof faults.take>[0][]) =>
    steps.map((step) => faults.take(step)?.kind ?? null);
  expect(kindsOf(["lookup", "submit", "prepare", "submit", "list", "lookup"])).toEqual([
    "wrong-amount",
    "refuse",
    "429",
    "429",
    null,
    "wrong-amount",
  ]);
});
