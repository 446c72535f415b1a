import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { adjustableClock } from "@sesame/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AWA, callers, read, type Read } from "../testing/callers.ts";
import { testEmulators, type TestEmulators } from "../testing/test-emulators.ts";
import type { PayoutFault } from "../wire.ts";
import { payoutFaults } from "./faults.ts";

let emulators: TestEmulators;
let folder: string;
const calls = callers(() => emulators);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "emulators-"));
});

afterEach(async () => {
  await emulators.close();
  rmSync(folder, { recursive: true });
});

const PROVIDERS = ["paydunya", "fedapay", "moneroo"] as const;

type Sent = { submit(): Promise<Read>; look(): Promise<Read> };

const readers = callers(() => emulators, read);
const email = "awa@example.com";
/**
 * A payout of 1 000 francs to Awa at each provider, by our reference: everything before the call that
 * moves money, then that call and a question about it.
 */
const KITS = {
  async paydunya(reference: string): Promise<Sent> {
    const { body } = await readers.paydunya("get-invoice", {
      account_alias: AWA.slice(4),
      amount: 1000,
      withdraw_mode: "orange-money-ci",
      callback_url: "http://127.0.0.1:9/webhooks/paydunya",
    });
    const named = { disburse_invoice: body.disburse_token, disburse_id: reference };
    return {
      submit: () => readers.paydunya("submit-invoice", named),
      look: () => readers.paydunya("check-status", named),
    };
  },
  async fedapay(reference: string): Promise<Sent> {
    const phone_number = { number: AWA, country: "ci" };
    const { body } = await readers.fedapay("POST", "/payouts", {
      amount: 1000,
      currency: { iso: "XOF" },
      mode: "orange_ci",
      merchant_reference: reference,
      customer: { firstname: "Awa", lastname: "Koné", email, phone_number },
    });
    const { id } = body["v1/payout"] as { id: number };
    return {
      submit: () => readers.fedapay("PUT", "/payouts/start", { payouts: [{ id }] }),
      look: () => readers.fedapay("GET", `/payouts/${id}`),
    };
  },
  async moneroo(reference: string): Promise<Sent> {
    const idOf = () => emulators.moneroo.payouts.list().at(-1)?.id ?? "none";
    return {
      submit: () =>
        readers.moneroo("POST", "/payouts/initialize", {
          amount: 1000,
          currency: "XOF",
          description: "Retrait",
          method: "orange_ci",
          customer: { first_name: "Awa", last_name: "Koné", email },
          recipient: { msisdn: AWA.slice(1) },
          metadata: { reference },
        }),
      look: () => readers.moneroo("GET", `/payouts/${idOf()}/verify`),
    };
  },
};

async function sendOneByEach() {
  for (const [at, name] of PROVIDERS.entries()) await (await KITS[name](`wd-${at + 1}`)).submit();
}

describe("money on its way", () => {
  test("arrives once, although the emulators were stopped and started again", async () => {
    const statePath = join(folder, "emulators.json");
    emulators = await testEmulators({ statePath, clock: adjustableClock() });
    await sendOneByEach();
    const before = emulators.state().payouts;
    expect(before.map(({ status }) => status)).toEqual(["queued", "queued", "queued"]);
    await emulators.close();
    emulators = await testEmulators({ statePath, clock: adjustableClock() });
    expect(emulators.state().payouts).toEqual(before);
    emulators.clock.advance(5_000);
    const after = emulators.state().payouts;
    expect(after.map(({ status }) => status)).toEqual(["success", "success", "success"]);
    emulators.clock.advance(5_000);
    expect(emulators.mobileMoney.sms(AWA).map(({ amount }) => amount)).toEqual([1000, 1000, 1000]);
    expect(emulators.mobileMoney.wallets().find(({ phone }) => phone === AWA)?.balance).toBe(3000);
    await emulators.close();
    emulators = await testEmulators({ statePath, clock: adjustableClock() });
    expect(emulators.mobileMoney.sms(AWA)).toHaveLength(3);
    expect(emulators.paydunya.floats()).toEqual({ main: 10_000_000 - 1000 });
  });

  test("is controlled by the panel's own calls", async () => {
    emulators = await testEmulators();
    emulators.panel.setPayoutFault({ provider: "paydunya", kind: "stay-pending" });
    await sendOneByEach();
    const [payout] = emulators.paydunya.list();
    emulators.clock.advance(3_600_000);
    expect(emulators.paydunya.find("wd-1")?.status).toBe("pending");
    const payoutId = payout?.id ?? "";
    emulators.panel.settlePayout({ provider: "paydunya", payoutId, outcome: "success" });
    expect(emulators.paydunya.find(payoutId)).toMatchObject({ status: "success" });
    const float = { provider: "fedapay", account: "mtn_ci", amount: 5 } as const;
    emulators.panel.setFloat(float);
    expect(emulators.state().floats).toContainEqual(float);
    const planted = emulators.panel.plantPayout({ provider: "moneroo", amount: 400 });
    expect(emulators.moneroo.payouts.find(planted.id)).toMatchObject({ planted: true });
    emulators.panel.forgetPayout({ provider: "moneroo", payoutId: planted.id });
    expect(emulators.moneroo.payouts.find(planted.id)).toBe(undefined);
    const unknown = { provider: "toString", kind: "down" } as unknown;
    const wrong = unknown as Parameters<typeof emulators.panel.setPayoutFault>[0];
    expect(() => emulators.panel.setPayoutFault(wrong)).toThrow("no provider");
  });

  test("succeeds again once every fault is removed", async () => {
    emulators = await testEmulators();
    for (const provider of PROVIDERS) emulators.panel.setPayoutFault({ provider, kind: "down" });
    expect(emulators.state().faults.payouts.fedapay).toEqual([
      { kind: "down", call: "any", times: null, afterMs: 0 },
    ]);
    expect((await calls.fedapay("GET", "/payouts")).status).toBe(503);
    emulators.panel.clearFaults({});
    expect((await calls.fedapay("GET", "/payouts")).status).toBe(200);
    expect(emulators.state().faults.payouts).toEqual({ paydunya: [], moneroo: [], fedapay: [] });
  });
});

test("an account nobody has is refused by each provider", async () => {
  emulators = await testEmulators({ paydunya: undefined, fedapay: undefined } as object);
  expect((await calls.paydunya("check-status", {})).body.response_code).toBe("1001");
  expect((await calls.fedapay("GET", "/payouts")).status).toBe(401);
});

test("a fault hits the step it is set for, as often as it is set", async () => {
  emulators = await testEmulators();
  const faults = payoutFaults({ clock: emulators.clock, changed: () => undefined });
  faults.add({ kind: "refuse" });
  faults.add({ kind: "wrong-amount" });
  faults.add({ kind: "429", times: 2 });
  const steps = ["lookup", "submit", "prepare", "submit", "list", "lookup"] as const;
  const kinds = ["wrong-amount", "refuse", "429", "429", null, "wrong-amount"];
  expect(steps.map((step) => faults.take(step)?.kind ?? null)).toEqual(kinds);
});

/**
 * Whether the payout was accepted, what the call answers (null: the connection broke), and its
 * state a day later.
 */
const TABLE: Record<PayoutFault, [taken: boolean, status: number | null, end: string | null]> = {
  refuse: [false, 400, null],
  "insufficient-float": [false, 400, null],
  "timeout-before": [false, null, null],
  "timeout-after": [true, null, "success"],
  "500-after": [true, 500, "success"],
  "429": [false, 429, null],
  down: [false, 503, null],
  nonsense: [true, 200, "success"],
  slow: [true, 200, "success"],
  "late-success": [true, 200, "success"],
  "late-failure": [true, 200, "failed"],
  "stay-pending": [true, 200, "pending"],
  "unknown-word": [true, 200, "success"],
  "no-word": [true, 200, "success"],
  "wrong-amount": [true, 200, "success"],
  "wrong-reference": [true, 200, "success"],
};
const LIES: Partial<Record<PayoutFault, string>> = {
  nonsense: "<html>",
  "unknown-word": "on_hold_for_review",
  "wrong-amount": "999",
};
const CASES = PROVIDERS.flatMap((name) =>
  Object.entries(TABLE).map(([kind, answer]) => [name, kind as PayoutFault, ...answer] as const),
);

test.each(CASES)("%s's payout meets %s until removed", async (name, kind, taken, status, end) => {
  emulators = await testEmulators();
  const payouts = name === "moneroo" ? emulators.moneroo.payouts : emulators[name];
  const { submit, look } = await KITS[name]("each");
  // PayDunya refuses with HTTP 200; Moneroo answers 201 to a creation.
  const refused = name === "paydunya" && status === 400 ? 200 : status;
  const shown = name === "moneroo" && status === 200 ? 201 : refused;
  payouts.fault(kind, kind === "slow" ? { afterMs: 1 } : {});
  const answer = await submit().catch(() => null);
  expect(answer?.status ?? null).toBe(shown);
  const isSent = () => payouts.list().some((one) => one.status !== "created");
  expect(isSent()).toBe(taken);
  const lie = taken && payouts.faults().length > 0 ? await look() : null;
  payouts.clearFaults();
  if (!taken) return;
  const truth = await look();
  if (lie !== null && kind !== "slow") {
    expect(lie.text).not.toBe(truth.text);
    expect(lie.text).toContain(LIES[kind] ?? "");
  }
  emulators.clock.advance(24 * 3_600_000);
  expect(payouts.list().at(-1)?.status).toBe(end);
});
