import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { fcfa } from "@sesame/kernel";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import type { PayoutRequest } from "../port.ts";
import {
  hostProvider,
  nobodyListening,
  outageOf,
  type ProviderHost,
  type ScriptedAnswer,
} from "../provider.test-host.ts";
import { environmentOfKey } from "./client.ts";
import {
  createFedapayPayouts,
  payoutVerdictOf,
  translateNotice,
  translatePayout,
  translatePayouts,
  translateRefusal,
} from "./index.ts";

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

const callsMade = () => host?.calls.map(({ call }) => call);

describe("looking a payout up", () => {
  const name = { reference: "wd-17-1", handle: null, providerPayoutId: null };

  test("goes by its id, and tells amount, fees, reference and its word", async () => {
    const fedapay = await answering({ [BY_ID]: payout({ status: "sent", fees: 150.0 }) });
    expect(await fedapay.lookup({ ...name, handle: "55" })).toMatchObject({
      verdict: "succeeded",
      providerPayoutId: "55",
      word: "sent",
      cost: fcfa(150),
      amount: fcfa(5000),
      reference: "wd-17-1",
      environment: "live",
    });
  });

  test("goes by our reference without an id, through the list where they have no such call", async () => {
    const fedapay = await answering({ [LIST]: { body: recorded("list") } });
    expect(await fedapay.lookup(name)).toMatchObject({ providerPayoutId: "55", currency: "XOF" });
    expect(callsMade()).toEqual([BY_REFERENCE, "GET /v1/payouts?page=1&per_page=100"]);
    expect(await fedapay.lookup({ ...name, reference: "wd-18-1" })).toBeNull();
  });

  test("is null for one they do not know, an outage for another's answer", async () => {
    const fedapay = await answering({ [BY_ID]: noSuch });
    expect(await fedapay.lookup({ ...name, handle: "55" })).toBeNull();
    await host?.close();
    const odd = await answering({ [BY_ID]: payout({ id: 56 }) });
    await outageOf(odd.lookup({ ...name, handle: "55" }));
  });

  test.each([
    { status: 500, body: {} },
    { status: 401, body: {} },
    { status: 200, body: "nonsense" },
    { status: 200, body: { "v1/payout": { id: 55 } } },
  ])("is an outage on %j", async (answer) => {
    const fedapay = await answering({ [BY_ID]: answer });
    expect((await outageOf(fedapay.lookup({ ...name, handle: "55" }))).party).toBe("fedapay");
  });
});

describe("their list", () => {
  const line = (id: number, createdAt: string) => ({
    id,
    status: "sent",
    amount: 1000,
    merchant_reference: `wd-${id}-1`,
    created_at: createdAt,
  });
  const SINCE = new Date("2026-11-01T00:00:00Z");

  test("is read page after page until it is older than asked", async () => {
    const pages = [
      [line(5, "2026-11-03T00:00:00Z"), line(4, "2026-11-02T00:00:00Z")],
      [line(3, "2026-11-01T00:00:00Z"), line(2, "2026-10-31T00:00:00Z")],
      [line(1, "2026-10-30T00:00:00Z"), line(0, "2026-10-29T00:00:00Z")],
      [line(9, "2026-11-03T00:00:00Z")],
    ];
    const fedapay = await answering(
      Object.fromEntries(
        pages.map((page, at) => [
          `${LIST}page=${at + 1}&`,
          { body: { "v1/payouts": page, meta: { total_pages: 4 } } },
        ]),
      ),
    );
    const listed = await fedapay.list?.(SINCE);
    expect(listed?.map(({ reference }) => reference)).toEqual(["wd-5-1", "wd-4-1", "wd-3-1"]);
    expect(host?.calls).toHaveLength(3);
  });

  test("is read whole where it is the oldest first, and once where pages are ignored", async () => {
    const page = [line(1, "2026-10-30T00:00:00Z"), line(2, "2026-11-02T00:00:00Z")];
    const fedapay = await answering({ [LIST]: { body: page } });
    expect((await fedapay.list?.(SINCE))?.map(({ providerPayoutId }) => providerPayoutId)).toEqual([
      "2",
    ]);
    expect(host?.calls).toHaveLength(2);
  });

  test("with a line that says nothing readable proves nothing: an outage", async () => {
    const body = { "v1/payouts": [line(1, "2026-11-02T00:00:00Z"), { id: null }] };
    const fedapay = await answering({ [LIST]: { body } });
    await outageOf(Promise.resolve(fedapay.list?.(SINCE)));
  });
});

describe("FedaPay's word on a payout", () => {
  test("only sent is a yes, only failed is a no, only pending was never started", () => {
    expect(payoutVerdictOf("sent")).toBe("succeeded");
    expect(payoutVerdictOf("failed")).toBe("failed");
    expect(payoutVerdictOf("pending")).toBe("not-started");
    for (const word of ["started", "processing", "approved", "transferred", "SENT", ""]) {
      expect(payoutVerdictOf(word)).toBe("sent");
    }
  });

  test("no unknown word is money, or a failure, or nothing done", () => {
    fc.assert(
      fc.property(fc.string(), (word) => {
        if (!["sent", "failed", "pending"].includes(word)) {
          expect(payoutVerdictOf(word)).toBe("sent");
        }
      }),
    );
  });
});

describe("a payout in their answers", () => {
  const wrapped = recorded("created");
  const bare = wrapped["v1/payout"] as Record<string, unknown>;
  const changed = (change: object) => translatePayout({ ...bare, ...change }, "live");

  test("is the same wrapped under its key with a slash, or bare", () => {
    const read = translatePayout(wrapped, "live");
    expect(read).toEqual(translatePayout(bare, "live"));
    expect(read).toEqual({
      verdict: "not-started",
      providerPayoutId: "55",
      word: "pending",
      operatorReference: null,
      failure: null,
      cost: null,
      environment: "live",
      amount: fcfa(5000),
      currency: null,
      reference: "wd-17-1",
      createdAt: new Date("2026-11-02T10:00:00.000Z"),
    });
  });

  test("costs its fees, or what was taken above the amount, or nothing told", () => {
    expect(changed({ fees: 150 })?.cost).toBe(fcfa(150));
    expect(changed({ fees: "300.0" })?.cost).toBe(fcfa(300));
    expect(changed({ amount_debited: 5150 })?.cost).toBe(fcfa(150));
    expect(changed({ fees: 0, amount_debited: 5150 })?.cost).toBe(fcfa(0));
    for (const odd of [{ amount_debited: 4000 }, { fees: 1.5 }, { fees: -1 }, {}]) {
      expect(changed(odd)?.cost).toBeNull();
    }
  });

  test("says why it failed by sentence or by code, and only then", () => {
    const failed = { status: "failed", last_error_code: "E1", last_error_message: "Compte fermé" };
    expect(changed(failed)?.failure).toBe("Compte fermé");
    expect(changed({ ...failed, last_error_message: null })?.failure).toBe("E1");
    expect(changed({ ...failed, status: "sent" })?.failure).toBeNull();
  });

  test("carries our reference by its own field, or in its metadata", () => {
    expect(changed({ merchant_reference: null })?.reference).toBe("wd-17-1");
    expect(changed({ merchant_reference: null, custom_metadata: [] })?.reference).toBeNull();
  });

  test("is nonsense without an id or a status, and never throws", () => {
    expect(changed({ id: null })).toBeNull();
    expect(changed({ id: "../1" })).toBeNull();
    expect(changed({ status: 3 })).toBeNull();
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        translatePayout(body, "live");
        translatePayouts(body, "live");
        translateRefusal(422, body);
      }),
    );
  });

  test("stands in a list with its pages", () => {
    const page = translatePayouts(recorded("list"), "live");
    expect(page).toMatchObject({ unread: 0, pages: 1 });
    expect(page?.payouts.map(({ verdict, failure }) => [verdict, failure])).toEqual([
      ["failed", "Le numéro n'a pas de compte"],
      ["succeeded", null],
    ]);
  });
});

test("the secret key says which of their two worlds it opens", () => {
  expect(environmentOfKey("sk_live_x")).toBe("live");
  expect(environmentOfKey("sk_sandbox_x")).toBe("sandbox");
  expect(environmentOfKey("anything")).toBe("unknown");
});

const SECRET = "test-fedapay-secret";

const BODY =
  '{"name":"transaction.approved","object":"transaction","entity":{"klass":"v1/transaction","id":1001,"status":"approved","amount":5000}}';

const DIGEST = "e964e24e3219f1bb6f632db14842e0a6ddec8d2c6d539708eb2c27e52af59a9b";

const AT = 1_700_000_000;

describe("a signed notice of FedaPay", () => {
  const read = (
    body: string | Uint8Array,
    header: string | string[] | undefined,
    { at = AT, secret = SECRET } = {},
  ) =>
    createFedapayPayouts({
      secretKey: "k",
      webhookSecret: secret,
      apiRoot: "http://x",
      now: () => new Date(at * 1000),
    }).readNotice(
      { "x-fedapay-signature": header },
      typeof body === "string" ? Buffer.from(body) : body,
    );
  const signed = (body: string | Uint8Array, time: number | string = AT) =>
    `t=${time},s=${createHmac("sha256", SECRET).update(`${time}.`).update(body).digest("hex")}`;
  const HEADER = `t=${AT},s=${DIGEST}`;
  const trusted = { trusted: true };
  const refused = { trusted: false };

  test("is believed to be theirs by the published vector, and is about no payout", () => {
    const nothing = { providerPayoutId: null, handle: null, reference: null };
    expect(read(BODY, HEADER)).toEqual({ trusted: true, ...nothing });
  });

  test("is refused with any byte flipped, or re-serialised", () => {
    const bytes = Buffer.from(BODY);
    for (let at = 0; at < bytes.length; at += 7) {
      const flipped = Uint8Array.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      expect(read(flipped, HEADER)).toEqual(refused);
    }
    const spaced = JSON.stringify(JSON.parse(BODY), null, 2);
    expect(read(spaced, HEADER)).toEqual(refused);
    expect(read(spaced, signed(spaced))).toMatchObject(trusted);
    const escaped = '{"name":"x","entity":{"callback_url":"a\\u0026b"}}';
    expect(read(escaped, signed(escaped))).toMatchObject(trusted);
    expect(read(JSON.stringify(JSON.parse(escaped)), signed(escaped))).toEqual(refused);
  });

  test("is refused with another secret, no header, two headers or upper-case hex", () => {
    expect(read(BODY, HEADER, { secret: "another" })).toEqual(refused);
    for (const header of [
      undefined,
      "",
      [HEADER, HEADER],
      `t=${AT},s=${DIGEST.toUpperCase()}`,
      `t=${AT},s=${DIGEST}00`,
      `t=${AT},s=${DIGEST}=`,
      `t=${AT}`,
      `s=${DIGEST}`,
      DIGEST,
    ]) {
      expect(read(BODY, header)).toEqual(refused);
    }
  });

  test("is refused under the scheme v1, and with two times", () => {
    expect(read(BODY, `t=${AT},v1=${DIGEST}`)).toEqual(refused);
    expect(read(BODY, `t=${AT},t=${AT},s=${DIGEST}`)).toEqual(refused);
    expect(read(BODY, `t=-${AT},s=${DIGEST}`)).toEqual(refused);
    expect(read(BODY, `t=1e9,s=${DIGEST}`)).toEqual(refused);
  });

  test("is refused 301 s old or 301 s ahead, taken at 300 s of either", () => {
    for (const off of [301, -301, 86_400, -86_400]) {
      expect(read(BODY, HEADER, { at: AT + off })).toEqual(refused);
    }
    for (const off of [300, -300]) {
      expect(read(BODY, HEADER, { at: AT + off })).toMatchObject(trusted);
    }
    expect(read(BODY, signed(BODY, AT + 10), { at: AT })).toMatchObject(trusted);
  });

  test("is taken when any of several signatures is right, spaces between or not", () => {
    const other = "0".repeat(64);
    expect(read(BODY, `t=${AT},s=${other},s=${DIGEST}`)).toMatchObject(trusted);
    expect(read(BODY, `s=${DIGEST}, t=${AT}`)).toMatchObject(trusted);
    expect(read(BODY, `t=${AT},s=${other},s=${other}`)).toEqual(refused);
  });

  test("says which payout it is about, each time it comes", () => {
    const body = Buffer.from(JSON.stringify(recorded("notice")));
    const told = { trusted: true, providerPayoutId: "55", handle: "55", reference: "wd-17-1" };
    expect([read(body, signed(body)), read(body, signed(body))]).toEqual([told, told]);
  });

  test("is trusted whatever it says, an unknown event or no JSON at all", () => {
    for (const body of ['{"name":"moon.landed"}', "not json", "", "null", "[]"]) {
      expect(read(body, signed(body))).toMatchObject({ trusted: true, providerPayoutId: null });
    }
    fc.assert(
      fc.property(fc.jsonValue(), (v) => void translateNotice(Buffer.from(JSON.stringify(v)))),
    );
  });

  test("of a payout is known by its name, its object or its class, wrapped or not", () => {
    const about = (body: object) => translateNotice(Buffer.from(JSON.stringify(body)));
    const entity = { id: 55 };
    for (const body of [
      { name: "payout.failed", entity },
      { object: "payout", entity },
      { entity: { ...entity, klass: "v1/payout" } },
      { name: "payout.sent", data: entity },
      { name: "payout.sent", entity: { "v1/payout": entity } },
    ]) {
      expect(about(body)).toMatchObject({ providerPayoutId: "55", handle: "55" });
    }
    expect(about({ name: "transaction.approved", entity })).toMatchObject({ handle: null });
  });
});
