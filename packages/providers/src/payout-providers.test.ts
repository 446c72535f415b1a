import { fcfa } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import { createFedapayPayouts } from "./fedapay/index.ts";
import { createMonerooPayouts } from "./moneroo/index.ts";
import { createPaydunyaPayouts } from "./paydunya/index.ts";
import type { PayoutProvider, PayoutRefusal } from "./port.ts";
import {
  hostEach,
  nobodyListening,
  outageOf,
  PAYOUT,
  recordedBy,
  type ScriptedAnswer,
} from "./provider.test-host.ts";

/** Rules of every payout provider. */

type ProviderId = "paydunya" | "moneroo" | "fedapay";

type ProviderCase = {
  open(at: { apiRoot: string; timeoutMs: number }): PayoutProvider;
  readonly handle: string | null;
  /** The step that refuses a payout. */
  readonly first: "prepare" | "submit";
  /** The call that moves money, and the lookup after an answer that may be wrong. */
  readonly moves: string;
  readonly asks: string;
  /** The answer to an accepted sending. */
  readonly taken: object;
  /** The answer to a lookup of a payout that was not sent. */
  readonly waits: ScriptedAnswer;
  readonly unknown: ScriptedAnswer;
};

const no = (response_code: string, response_text: string) => ({
  body: { response_code, response_text },
});

const paydunya = recordedBy("paydunya");
const fedapay = recordedBy("fedapay");
const statusAtPaydunya = (status: string) => ({ body: { ...paydunya("check-status"), status } });
const payoutAtFedapay = (change: object) => ({
  body: { "v1/payout": { ...(fedapay("created")["v1/payout"] as object), ...change } },
});

const PROVIDERS: Record<ProviderId, ProviderCase> = {
  paydunya: {
    open: (at) => createPaydunyaPayouts({ masterKey: "m", privateKey: "p", token: "t", ...at }),
    handle: "Zk3pQ9sWx1",
    first: "prepare",
    moves: "submit-invoice",
    asks: "check-status",
    taken: paydunya("submit-invoice"),
    waits: statusAtPaydunya("created"),
    unknown: no("4004", "Token introuvable"),
  },
  moneroo: {
    open: (at) => createMonerooPayouts({ secretKey: "k", webhookSecret: "w", ...at }),
    handle: null,
    first: "submit",
    moves: "POST /v1/payouts/initialize",
    asks: "GET /v1/payouts/po_5r4e3w2q1a0z/verify",
    taken: recordedBy("moneroo")("payout-initialize"),
    waits: { status: 404, body: {} },
    unknown: { status: 404, body: {} },
  },
  fedapay: {
    open: (at) =>
      createFedapayPayouts({ secretKey: "k", webhookSecret: "w", now: () => new Date(0), ...at }),
    handle: "55",
    first: "prepare",
    moves: "PUT /v1/payouts/start",
    asks: "GET /v1/payouts/55",
    taken: fedapay("started"),
    waits: payoutAtFedapay({}),
    unknown: { status: 404, body: { message: "Not found" } },
  },
};

const NAMES = ["paydunya", "moneroo", "fedapay"] as const;

const { answering, calls } = hostEach();

async function open(
  providerId: ProviderId,
  answers: ScriptedAnswer | Record<string, ScriptedAnswer>,
  timeoutMs = 60_000,
) {
  return PROVIDERS[providerId].open({ apiRoot: await answering(answers), timeoutMs });
}

const closed = (providerId: ProviderId) =>
  PROVIDERS[providerId].open({ apiRoot: nobodyListening(), timeoutMs: 60_000 });

const named = (providerId: ProviderId) => ({
  reference: PAYOUT.reference,
  handle: PROVIDERS[providerId].handle,
  providerPayoutId: providerId === "moneroo" ? "po_5r4e3w2q1a0z" : null,
});

const request = (message: string | null): PayoutRefusal => ({ kind: "request", message });

const unprocessed = (errors: unknown, message?: string) => ({
  status: 422,
  body: { message, errors },
});

test.each<[ProviderId, ScriptedAnswer, PayoutRefusal]>([
  ["paydunya", no("1001", "Invalid masterkey"), { kind: "keys" }],
  ["paydunya", no("401", "API disburse not enabled"), { kind: "keys" }],
  ["paydunya", { status: 403, body: "" }, { kind: "keys" }],
  ["paydunya", no("4002", "Insufficient balance to process"), { kind: "float" }],
  ["paydunya", no("4002", "Votre solde est insuffisant"), { kind: "float" }],
  ["paydunya", no("4003", "Numéro inconnu"), request("Numéro inconnu")],
  ["paydunya", { status: 422, body: { response_code: "42", response_text: "x" } }, request("x")],
  ["moneroo", { status: 401, body: {} }, { kind: "keys" }],
  ["moneroo", { status: 403, body: "" }, { kind: "keys" }],
  ["moneroo", { status: 400, body: { message: "Insufficient balance." } }, { kind: "float" }],
  ["moneroo", unprocessed({ amount: ["Solde insuffisant"] }, "Invalid."), { kind: "float" }],
  ["moneroo", unprocessed([], "Invalid."), request("Invalid.")],
  ["moneroo", { status: 404, body: null }, request(null)],
  ["fedapay", { status: 401, body: { message: "Opération non autorisée" } }, { kind: "keys" }],
  ["fedapay", { status: 403, body: null }, { kind: "keys" }],
  ["fedapay", { status: 400, body: { message: "Solde insuffisant" } }, { kind: "float" }],
  ["fedapay", unprocessed({ amount: ["Insufficient balance"] }), { kind: "float" }],
  ["fedapay", { status: 422, body: { message: "Numéro invalide" } }, request("Numéro invalide")],
  ["fedapay", unprocessed({ a: ["b"] }), request('{"a":["b"]}')],
  ["fedapay", { status: 400, body: "no" }, request(null)],
])("%s refuses in its own words, for good: %j", async (name, said, refusal) => {
  const provider = await open(name, { "": said, "GET /v1/payouts?": { body: [] } });
  const step = PROVIDERS[name].first;
  const answer = step === "prepare" ? provider.prepare(PAYOUT) : provider.submit(PAYOUT, null);
  expect(await answer).toEqual({ ok: false, refusal });
});

const wrongKeys = no("1001", "keys");
const noSuch = { status: 404, body: {} };
const short = { status: 400, body: { message: "Solde insuffisant" } };
const started = { status: 422, body: { message: "already started" } };
const refusedByPaydunya = { body: paydunya("refused") };
const used = no("5000", "disburse_id already used");
const underWay = payoutAtFedapay({ status: "processing" });
const FLOAT = { ok: false, refusal: { kind: "float" } };
const became = (status: string) => ({ ok: true, value: { status } });

/** A refusal may come after a success whose answer was lost: the payout is looked up. */
test.each<[ProviderId, string, ScriptedAnswer, ScriptedAnswer, object | "outage"]>([
  ["fedapay", "it waits", short, payoutAtFedapay({}), FLOAT],
  ["fedapay", "it is on its way", started, underWay, became("sent")],
  ["fedapay", "it arrived", started, payoutAtFedapay({ status: "sent" }), became("succeeded")],
  ["fedapay", "it failed", started, payoutAtFedapay({ status: "failed" }), became("failed")],
  ["fedapay", "nothing is known of it", { status: 400, body: {} }, noSuch, "outage"],
  ["fedapay", "it cannot be asked", { status: 401, body: {} }, { status: 401, body: {} }, "outage"],
  ["paydunya", "it waits", refusedByPaydunya, statusAtPaydunya("created"), FLOAT],
  ["paydunya", "it failed", refusedByPaydunya, statusAtPaydunya("failed"), FLOAT],
  ["paydunya", "it is on its way", used, statusAtPaydunya("pending"), became("sent")],
  ["paydunya", "it arrived", used, statusAtPaydunya("success"), became("succeeded")],
  ["paydunya", "nothing is known of it", no("4000", "no"), no("4004", "unknown token"), "outage"],
  ["paydunya", "it cannot be asked", no("4000", "no"), { status: 503, body: {} }, "outage"],
  ["paydunya", "the keys are refused meanwhile", wrongKeys, wrongKeys, "outage"],
  ["paydunya", "another token sent our reference", used, statusAtPaydunya("created"), "outage"],
])("%s refuses to send, and about the payout %s", async (name, _of, said, asked, expected) => {
  const { moves, asks, handle } = PROVIDERS[name];
  const provider = await open(name, { [moves]: said, [asks]: asked });
  const submitted = provider.submit(PAYOUT, handle);
  if (expected === "outage") await outageOf(submitted);
  else if ("refusal" in expected) expect(await submitted).toEqual(expected);
  else expect(await submitted).toMatchObject(expected);
});

const LOST: readonly ScriptedAnswer[] = [
  { status: 500, body: {} },
  { status: 503, body: "" },
  { status: 504, body: "" },
  { status: 408, body: "" },
  { status: 409, body: {} },
  { body: "<html>" },
  { body: { data: {} } },
  { status: 302, body: "", headers: { location: "http://127.0.0.1:1/" } },
  "hang-up",
  "silent",
];

describe.each(NAMES)("money sent by %s", (name) => {
  const { moves, asks, waits, handle, taken } = PROVIDERS[name];

  test.each([...LOST, { status: 500, body: taken }])(
    "is uncertain on %j, and is not sent again",
    async (said) => {
      const patience = said === "silent" ? 2_000 : 60_000;
      const provider = await open(name, { [moves]: said, [asks]: waits }, patience);
      expect((await outageOf(provider.submit(PAYOUT, handle))).party).toBe(name);
      expect(calls().filter(({ call }) => call.includes(moves))).toHaveLength(1);
    },
  );

  test("may be sent again when it was certainly not accepted: too many requests, or no connection", async () => {
    for (const [headers, retryAfterMs] of [
      [{ "retry-after": "7" }, 7_000],
      [{}, 60_000],
    ] as const) {
      const provider = await open(name, { [moves]: { status: 429, body: {}, headers } });
      const refusal = { kind: "busy", retryAfterMs };
      expect(await provider.submit(PAYOUT, handle)).toEqual({ ok: false, refusal });
    }
    const busy = { ok: false, refusal: { kind: "busy" } };
    expect(await closed(name).submit(PAYOUT, handle)).toMatchObject(busy);
  });

  test.each<ScriptedAnswer>([
    { status: 500, body: {} },
    { status: 401, body: {} },
    { body: "nonsense" },
    { body: { response_code: "00", "v1/payout": { id: 55 }, data: { id: "po_5r4e3w2q1a0z" } } },
    { status: 302, body: "", headers: { location: "http://127.0.0.1:1/" } },
    "silent",
  ])("cannot be looked up on %j", async (said) => {
    const provider = await open(name, { [asks]: said }, said === "silent" ? 50 : 60_000);
    const outage = await outageOf(provider.lookup(named(name)));
    expect(outage).toMatchObject({ party: name, retryable: true });
  });

  test("is looked up again after the wait of a 429", async () => {
    const provider = await open(name, { [asks]: { status: 429, body: {} } });
    expect((await outageOf(provider.lookup(named(name)))).retryAfterMs).toBe(60_000);
  });

  test("is null when the provider does not have it", async () => {
    const provider = await open(name, { [asks]: PROVIDERS[name].unknown });
    expect(await provider.lookup(named(name))).toBeNull();
  });
});

/** The fifteen methods of B §3, a number of each, and the providers that send to it. */
const METHODS: readonly [method: string, phone: string, paydunya: 0 | 1, m: 0 | 1, f: 0 | 1][] = [
  ["orange-money-ci", "+2250701020304", 1, 1, 1],
  ["mtn-ci", "+2250501020304", 1, 1, 1],
  ["moov-ci", "+2250101020304", 1, 1, 1],
  ["wave-ci", "+2250701020304", 1, 1, 1],
  ["orange-money-senegal", "+221771020304", 1, 1, 1],
  ["free-money-senegal", "+221761020304", 1, 1, 1],
  ["expresso-senegal", "+221701020304", 1, 1, 0],
  ["wave-senegal", "+221771020304", 1, 1, 1],
  ["mtn-benin", "+2290197000000", 1, 1, 1],
  ["moov-benin", "+2290195000000", 1, 1, 1],
  ["t-money-togo", "+22890010203", 1, 1, 1],
  ["moov-togo", "+22896010203", 1, 1, 1],
  ["orange-money-mali", "+22370010203", 1, 1, 1],
  ["orange-money-burkina", "+22607010203", 1, 0, 1],
  ["moov-burkina-faso", "+22602010203", 1, 0, 1],
];

const cases = METHODS.flatMap(([method, phone, ...served]) =>
  NAMES.map((providerId, at) => ({ providerId, method, phone, serves: served[at] === 1 })),
);

/** Nobody listens at this address. */
const providers = {
  paydunya: closed("paydunya"),
  moneroo: closed("moneroo"),
  fedapay: closed("fedapay"),
};

describe("the methods of each provider", () => {
  test.each(cases)("$providerId and $method: $serves", ({ providerId, method, serves }) => {
    const refusal = serves ? null : { kind: "method" };
    expect(providers[providerId].cannotServe(method, fcfa(5000))).toEqual(refusal);
  });

  test.each(cases.filter(({ serves }) => !serves))(
    "$providerId refuses $method before any call",
    async ({ providerId, method, phone }) => {
      const refused = { ok: false, refusal: { kind: "request", message: null } };
      expect(await providers[providerId].prepare({ ...PAYOUT, method, phone })).toEqual(refused);
    },
  );

  test("an unknown method is served by none, also when it is a property of every object", () => {
    for (const method of ["", "orange", "djamo-ci", "constructor", "__proto__", "toString"]) {
      for (const provider of Object.values(providers)) {
        expect(provider.cannotServe(method, fcfa(5000))).toEqual({ kind: "method" });
      }
    }
  });

  test("a number of another country is refused before any call", async () => {
    const refused = { ok: false, refusal: { kind: "request" } };
    for (const phone of ["+221771020304", "2250701020304", "0701020304", "+225", "", "+225abc"]) {
      const payout = { ...PAYOUT, method: "orange-money-ci", phone };
      for (const provider of Object.values(providers)) {
        expect(await provider.prepare(payout)).toMatchObject(refused);
      }
    }
  });
});

describe("the amounts of each provider", () => {
  test.each([
    ["paydunya", 199, { kind: "amount", min: fcfa(200), max: null }],
    ["paydunya", 200, null],
    ["paydunya", 500_000, null],
    ["fedapay", 1_000_001, { kind: "amount", min: fcfa(1), max: fcfa(1_000_000) }],
    ["fedapay", 1_000_000, null],
  ] as const)("%s has its bounds: %i francs", (providerId, francs, refusal) => {
    expect(providers[providerId].cannotServe("mtn-ci", fcfa(francs))).toEqual(refusal);
  });

  test("nobody sends zero francs, and the method is checked before the amount", () => {
    for (const provider of Object.values(providers)) {
      expect(provider.cannotServe("mtn-ci", fcfa(0))).toMatchObject({ kind: "amount" });
      expect(provider.cannotServe("nowhere", fcfa(0))).toEqual({ kind: "method" });
    }
  });
});
