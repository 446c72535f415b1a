import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { adjustableClock } from "@sesame/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AWA, callers } from "../testing/callers.ts";
import {
  FEDAPAY,
  PAYDUNYA,
  SECRET_KEY,
  testEmulators,
  type TestEmulators,
} from "../testing/test-emulators.ts";
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
  test("arrives after the emulators have been stopped and started, once", async () => {
    const statePath = join(folder, "emulators.json");
    emulators = await testEmulators({ statePath, clock: adjustableClock() });
    await sendOneByEach();
    const before = emulators.state().payouts;
    expect(before.map(({ status }) => status)).toEqual(["queued", "queued", "queued"]);
    await emulators.close();
    emulators = await testEmulators({ statePath, clock: adjustableClock() });
    expect(emulators.state().payouts).toEqual(before);
    emulators.clock.advance(5_000);
    expect(emulators.state().payouts.map(({ status }) => status)).toEqual([
      "success",
      "success",
      "success",
    ]);
    emulators.clock.advance(5_000);
    expect(
      emulators.mobileMoney
        .sms(AWA)
        .map(({ amount }) => amount)
        .sort(),
    ).toEqual([1000, 2000, 3000]);
    expect(emulators.mobileMoney.wallets().find(({ phone }) => phone === AWA)?.balance).toBe(6000);
    await emulators.close();
    emulators = await testEmulators({ statePath, clock: adjustableClock() });
    expect(emulators.mobileMoney.sms(AWA)).toHaveLength(3);
    expect(emulators.paydunya.floats()).toEqual({ main: 10_000_000 - 1000 });
  });

  test("is found in a file of the days before there was any", async () => {
    const statePath = join(folder, "emulators.json");
    emulators = await testEmulators({ statePath });
    emulators.telegram.createPerson({ firstName: "Yao" });
    await emulators.close();
    const saved = JSON.parse(readFileSync(statePath, "utf8")) as Record<string, unknown>;
    const { payments, notices, nextNoticeId } = saved.moneroo as Record<string, unknown>;
    const { paydunya: _p, fedapay: _f, mobileMoney: _m, ...older } = saved;
    const moneroo = { payments, notices, nextNoticeId };
    writeFileSync(statePath, JSON.stringify({ ...older, moneroo }));
    emulators = await testEmulators({ statePath });
    expect(emulators.state().wallets[0]).toMatchObject({ phone: AWA, personId: emulators.seller });
    await sendOneByEach();
    emulators.clock.advance(5_000);
    expect(emulators.mobileMoney.sms(AWA)).toHaveLength(3);
  });

  test("is told by the panel's own calls", async () => {
    emulators = await testEmulators();
    emulators.panel.setPayoutFault({ provider: "paydunya", kind: "stay-pending" });
    await sendOneByEach();
    const [payout] = emulators.paydunya.list();
    emulators.clock.advance(3_600_000);
    expect(emulators.paydunya.find("wd-1")?.status).toBe("pending");
    const payoutId = payout?.id ?? "";
    emulators.panel.settlePayout({ provider: "paydunya", payoutId, outcome: "success" });
    expect(emulators.paydunya.find(payoutId)).toMatchObject({ status: "success" });
    emulators.panel.setFloat({ provider: "fedapay", account: "mtn_ci", amount: 5 });
    expect(emulators.state().floats).toContainEqual({
      provider: "fedapay",
      account: "mtn_ci",
      amount: 5,
    });
    const planted = emulators.panel.plantPayout({ provider: "moneroo", amount: 400 });
    expect(emulators.moneroo.payouts.find(planted.id)).toMatchObject({ planted: true });
    emulators.panel.forgetPayout({ provider: "moneroo", payoutId: planted.id });
    expect(emulators.moneroo.payouts.find(planted.id)).toBe(undefined);
    const unknown = { provider: "toString", kind: "down" } as unknown;
    const wrong = unknown as Parameters<typeof emulators.panel.setPayoutFault>[0];
    expect(() => emulators.panel.setPayoutFault(wrong)).toThrow("no provider");
  });

  test("goes well again once every fault is cleared", async () => {
    emulators = await testEmulators();
    for (const provider of ["paydunya", "moneroo", "fedapay"] as const) {
      emulators.panel.setPayoutFault({ provider, kind: "down" });
    }
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

test("a fault hits the step it is set for, as often as it was told", async () => {
  emulators = await testEmulators();
  const faults = payoutFaults({ clock: emulators.clock, changed: () => undefined });
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

describe("each fault of a payout", () => {
  const PROVIDERS = ["paydunya", "fedapay", "moneroo"] as const;
  type Name = (typeof PROVIDERS)[number];
  type Seen = { status: number; text: string };
  const bodies = {
    customer: { first_name: "Awa", last_name: "Koné", firstname: "Awa", lastname: "Koné" },
  };
  /** The answer as it stands, or null when the connection broke. */
  const ask = async (method: string, path: string, headers: object, body?: object) => {
    const sent = body && { body: JSON.stringify(body) };
    const init = { method, headers: { ...headers, "content-type": "application/json" }, ...sent };
    const answer = await fetch(`${emulators.apiRoot}${path}`, init).catch(() => null);
    return answer && { status: answer.status, text: await answer.text() };
  };
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const paydunya = (name: string, body: object) => {
    const { masterKey, privateKey, token } = PAYDUNYA;
    const headers = {
      "paydunya-master-key": masterKey,
      "paydunya-private-key": privateKey,
      "paydunya-token": token,
    };
    return ask("POST", `/api/v2/disburse/${name}`, headers, body);
  };
  /** Everything before the call that moves money; then that call, and a question about it. */
  const KITS: Record<Name, () => Promise<{ submit(): Asked; look(): Asked }>> = {
    async paydunya() {
      const made = await paydunya("get-invoice", {
        account_alias: AWA.slice(4),
        amount: 1000,
        withdraw_mode: "orange-money-ci",
        callback_url: "http://127.0.0.1:9/webhooks/paydunya",
      });
      const { disburse_token: token } = JSON.parse(made?.text ?? "{}") as Record<string, string>;
      const named = { disburse_invoice: token, disburse_id: "each" };
      return {
        submit: () => paydunya("submit-invoice", named),
        look: () => paydunya("check-status", named),
      };
    },
    async fedapay() {
      const headers = bearer(FEDAPAY.secretKey);
      const phone = { number: AWA, country: "ci" };
      const made = await ask("POST", "/v1/payouts", headers, {
        amount: 1000,
        currency: { iso: "XOF" },
        mode: "orange_ci",
        merchant_reference: "each",
        customer: { ...bodies.customer, email: "awa@example.com", phone_number: phone },
      });
      const { id } = (JSON.parse(made?.text ?? "{}") as Record<string, { id: number }>)[
        "v1/payout"
      ] ?? { id: 0 };
      return {
        submit: () => ask("PUT", "/v1/payouts/start", headers, { payouts: [{ id }] }),
        look: () => ask("GET", `/v1/payouts/${id}`, headers),
      };
    },
    async moneroo() {
      const headers = bearer(SECRET_KEY);
      const idOf = () => emulators.moneroo.payouts.list().at(-1)?.id ?? "none";
      return {
        submit: () =>
          ask("POST", "/v1/payouts/initialize", headers, {
            amount: 1000,
            currency: "XOF",
            description: "Retrait",
            method: "orange_ci",
            customer: { ...bodies.customer, email: "awa@example.com" },
            recipient: { msisdn: AWA.slice(1) },
            metadata: { reference: "each" },
          }),
        look: () => ask("GET", `/v1/payouts/${idOf()}/verify`, headers),
      };
    },
  };
  type Asked = Promise<Seen | null>;

  /** Whether it was taken, how the call shows (null: it broke), and how it stands a day later. */
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
  const CASES = PROVIDERS.flatMap((name) =>
    Object.entries(TABLE).map(([kind, told]) => [name, kind as PayoutFault, ...told] as const),
  );

  test.each(CASES)(
    "of %s by %s is played once, and over once it is taken away",
    async (name, kind, taken, status, end) => {
      emulators = await testEmulators();
      const desk = name === "moneroo" ? emulators.moneroo.payouts : emulators[name];
      const { submit, look } = await KITS[name]();
      // PayDunya says no with HTTP 200; what Moneroo creates is told by 201.
      const refused = name === "paydunya" && status === 400 ? 200 : status;
      const shown = name === "moneroo" && status === 200 ? 201 : refused;
      desk.fault(kind, kind === "slow" ? { afterMs: 1 } : {});
      expect((await submit())?.status ?? null).toBe(shown);
      const isSent = () => desk.list().some((one) => one.status !== "created");
      expect(isSent()).toBe(taken);
      const lie = taken && desk.faults().length > 0 ? await look() : null;
      desk.clearFaults();
      if (!taken) return;
      const truth = await look();
      if (lie !== null && kind !== "slow") expect(lie.text).not.toBe(truth?.text);
      emulators.clock.advance(24 * 3_600_000);
      expect(desk.list().at(-1)?.status).toBe(end);
    },
  );
});
