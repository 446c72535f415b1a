import { readFileSync } from "node:fs";
import { fcfa } from "@sesame/kernel";
import { afterEach, describe, expect, test } from "vitest";
import type { PayoutRequest } from "../payout-port.ts";
import {
  hostProvider,
  nobodyListening,
  outageOf,
  type ProviderHost,
  type ScriptedAnswer,
} from "../provider.test-host.ts";
import { createFedapayPayouts } from "./index.ts";

const recorded = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL("./recorded/answers.json", import.meta.url), "utf8"))[name];

let host: ProviderHost | null = null;

afterEach(async () => {
  await host?.close();
  host = null;
});

const KEYS = { secretKey: "sk_live_1", webhookSecret: "wh", now: () => new Date(0) };

/** By the longest beginning of the call that is named. */
async function answering(answers: Record<string, ScriptedAnswer>, options: object = {}) {
  const starts = Object.keys(answers).sort((one, other) => other.length - one.length);
  const started = await hostProvider(({ call }) => {
    const start = starts.find((name) => call.startsWith(name));
    return (start && answers[start]) || { status: 404, body: { message: "Not found" } };
  });
  host = started;
  return createFedapayPayouts({ ...KEYS, apiRoot: started.apiRoot, timeoutMs: 60_000, ...options });
}

const request: PayoutRequest = {
  reference: "wd-17-1",
  withdrawalId: "17",
  amount: fcfa(5000),
  method: "mtn-benin",
  phone: "+2290197000000",
  description: "Retrait 17",
  recipient: { firstName: "Awa", lastName: "Diop", email: "17@app.example" },
  callbackUrl: "https://app.example/webhooks/fedapay",
};

const CREATE = "POST /v1/payouts";
const START = "PUT /v1/payouts/start";
const BY_ID = "GET /v1/payouts/55";
const BY_REFERENCE = "GET /v1/payouts/merchant/wd-17-1";
const LIST = "GET /v1/payouts?";

const payout = (change: object) => {
  const { "v1/payout": made } = recorded("created");
  return { body: { "v1/payout": { ...(made as object), ...change } } };
};
const noSuch = { status: 404, body: { message: "Not found" } };
const prepared = { ok: true, value: { handle: "55" } };

describe("making the payout that waits", () => {
  test("sends the mode, the number with its country, whole francs and our reference", async () => {
    const fedapay = await answering({ [CREATE]: { body: recorded("created") } });
    expect(await fedapay.prepare(request)).toEqual(prepared);
    expect(host?.calls[0]).toMatchObject({
      call: CREATE,
      headers: { authorization: "Bearer sk_live_1" },
      body: {
        amount: 5000,
        currency: { iso: "XOF" },
        mode: "mtn_open",
        description: "Retrait 17",
        merchant_reference: "wd-17-1",
        custom_metadata: { withdrawal_id: "17", reference: "wd-17-1" },
        customer: {
          firstname: "Awa",
          lastname: "Diop",
          email: "17@app.example",
          phone_number: { number: "+2290197000000", country: "bj" },
        },
      },
    });
  });

  test("spells Orange in Burkina with a hyphen, or as this account does", async () => {
    const burkina = { ...request, method: "orange-money-burkina", phone: "+22607010203" };
    for (const [options, mode] of [
      [{}, "orange-bf"],
      [{ modeSpellings: { "orange-money-burkina": "orange_bf" } }, "orange_bf"],
    ] as const) {
      const fedapay = await answering({ [CREATE]: { body: recorded("created") } }, options);
      await fedapay.prepare(burkina);
      expect(host?.calls[0]?.body).toMatchObject({ mode });
      await host?.close();
    }
  });

  test.each([
    [
      "a second use said with 422",
      { status: 422, body: { errors: { merchant_reference: ["x"] } } },
    ],
    ["a second use said with 409", { status: 409, body: {} }],
    ["a second use said with 500", { status: 500, body: "" }],
    ["an answer cut", "hang-up"],
  ] as const)("finds the one an earlier call made: %s", async (_why, answer) => {
    const fedapay = await answering({ [CREATE]: answer, [BY_REFERENCE]: payout({}) });
    expect(await fedapay.prepare(request)).toEqual(prepared);
    await host?.close();
    const listed = { body: recorded("list") };
    const older = await answering({ [CREATE]: answer, [LIST]: listed });
    expect(await older.prepare(request)).toEqual(prepared);
  });

  test("refuses one of another amount under our reference", async () => {
    const taken = { status: 422, body: { errors: { merchant_reference: ["taken"] } } };
    const fedapay = await answering({ [CREATE]: taken, [BY_REFERENCE]: payout({ amount: 4000 }) });
    expect(await fedapay.prepare(request)).toMatchObject({
      ok: false,
      refusal: { kind: "request" },
    });
  });

  test.each([
    [401, { message: "Opération non autorisée" }, { kind: "keys" }],
    [403, null, { kind: "keys" }],
    [400, { message: "Solde insuffisant" }, { kind: "float" }],
    [422, { errors: { amount: ["Insufficient balance"] } }, { kind: "float" }],
    [422, { message: "Numéro invalide" }, { kind: "request", message: "Numéro invalide" }],
    [422, { errors: { a: ["b"] } }, { kind: "request", message: '{"a":["b"]}' }],
    [400, "no", { kind: "request", message: null }],
  ])("is refused on %i in their words: %j", async (status, body, refusal) => {
    const fedapay = await answering({ [CREATE]: { status, body }, [LIST]: { body: [] } });
    expect(await fedapay.prepare(request)).toEqual({ ok: false, refusal });
  });

  test("is an outage when it is not answered and nothing is found", async () => {
    const fedapay = await answering({ [CREATE]: { status: 503, body: "" }, [LIST]: { body: [] } });
    await outageOf(fedapay.prepare(request));
    await host?.close();
    const odd = await answering({ [CREATE]: { body: { "v1/payout": {} } } });
    await outageOf(odd.prepare(request));
  });
});

describe("starting it", () => {
  test.each([
    ["as they answer", recorded("started")],
    ["a bare list", recorded("started")["v1/payouts"]],
    ["one payout", { "v1/payout": { id: 55, status: "processing" } }],
    ["a bare payout, not yet started in their words", { id: "55", status: "pending" }],
    [
      "among others",
      {
        data: [
          { id: 54, status: "failed" },
          { id: 55, status: "started" },
        ],
      },
    ],
  ])("is on its way: %s", async (_shape, body) => {
    const fedapay = await answering({ [START]: { body } });
    expect(await fedapay.submit(request, "55")).toMatchObject({
      ok: true,
      value: { verdict: "sent", providerPayoutId: "55" },
    });
    expect(host?.calls.map(({ call, body: sent }) => [call, sent])).toEqual([
      [START, { payouts: [{ id: 55 }] }],
    ]);
  });

  test("said no to is refused once the payout itself says that it waits", async () => {
    const short = { status: 400, body: { message: "Solde insuffisant" } };
    const fedapay = await answering({ [START]: short, [BY_ID]: payout({}) });
    const refused = { ok: false, refusal: { kind: "float" } };
    expect(await fedapay.submit(request, "55")).toEqual(refused);
  });

  test("said no to, when it had been started before, tells what became of it", async () => {
    for (const [status, verdict] of [
      ["processing", "sent"],
      ["sent", "succeeded"],
      ["failed", "failed"],
    ] as const) {
      const no = { status: 422, body: { message: "already started" } };
      const fedapay = await answering({ [START]: no, [BY_ID]: payout({ status }) });
      expect(await fedapay.submit(request, "55")).toMatchObject({ ok: true, value: { verdict } });
      await host?.close();
    }
  });

  test.each([
    ["they no longer know it", { status: 400, body: {} }, noSuch],
    ["it cannot be asked", { status: 401, body: {} }, { status: 401, body: {} }],
    ["the answer is lost", { status: 504, body: "" }, payout({})],
    ["another payout is answered", { body: [{ id: 54, status: "started" }] }, payout({})],
    ["the answer is nonsense", { body: "<html>" }, payout({})],
    ["the line is cut", "hang-up", payout({})],
    ["they ask to wait in an unusual way", { status: 409, body: {} }, payout({})],
  ] as const)("is known to nobody when %s", async (_why, started, asked) => {
    const fedapay = await answering({ [START]: started, [BY_ID]: asked });
    await outageOf(fedapay.submit(request, "55"));
  });

  test("may be made again when it was never taken: too many requests, or no connection", async () => {
    const busy = await answering({ [START]: { status: 429, body: {} } });
    const refusal = { kind: "busy", retryAfterMs: 60_000 };
    expect(await busy.submit(request, "55")).toEqual({ ok: false, refusal });
    const closed = createFedapayPayouts({ ...KEYS, apiRoot: nobodyListening() });
    expect(await closed.submit(request, "55")).toMatchObject({
      ok: false,
      refusal: { kind: "busy" },
    });
  });
});
