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
import {
  createMoneroo,
  createMonerooPayouts,
  payoutVerdictOf,
  translateInitialized,
  translatePayout,
} from "./index.ts";

const read = (name: string) =>
  JSON.stringify(
    JSON.parse(readFileSync(new URL("./recorded/answers.json", import.meta.url), "utf8"))[name],
    null,
    2,
  );
const recorded = (name: string): { data: Record<string, unknown> } => JSON.parse(read(name));

const SECRET = "test-moneroo-secret";
let host: ProviderHost | null = null;

afterEach(async () => {
  await host?.close();
  host = null;
});

async function answering(answer: ScriptedAnswer, timeoutMs = 60_000) {
  const started = await hostProvider(() => answer);
  host = started;
  const { apiRoot } = started;
  return createMonerooPayouts({ secretKey: "sk-1", webhookSecret: SECRET, apiRoot, timeoutMs });
}

const request: PayoutRequest = {
  reference: "wd-17-1",
  withdrawalId: "17",
  amount: fcfa(5000),
  method: "mtn-benin",
  phone: "+2290197000000",
  description: "Retrait 17",
  recipient: { firstName: "Awa", lastName: "Diop", email: "17@app.example" },
  callbackUrl: "https://app.example/webhooks/moneroo",
};

describe("Moneroo's word on a payout", () => {
  test("only success is a yes, only failed is a no", () => {
    expect(payoutVerdictOf("success")).toBe("succeeded");
    expect(payoutVerdictOf("failed")).toBe("failed");
    for (const word of ["initiated", "pending", "succeeded", "cancelled", "SUCCESS", ""]) {
      expect(payoutVerdictOf(word)).toBe("sent");
    }
    fc.assert(fc.property(fc.jsonValue(), (body) => void translatePayout(body)));
    fc.assert(fc.property(fc.jsonValue(), (body) => void translateInitialized(body)));
  });
});

describe("sending a payout by Moneroo", () => {
  test("has one step: nothing is asked before", async () => {
    const moneroo = await answering({ body: {} });
    expect(await moneroo.prepare(request)).toEqual({ ok: true, value: { handle: null } });
    expect(host?.calls).toHaveLength(0);
  });

  test.each([200, 201])(
    "sends digits, whole francs and text metadata; %i is a yes",
    async (status) => {
      const moneroo = await answering({ status, body: read("payout-initialize") });
      expect(await moneroo.submit(request, null)).toEqual({
        ok: true,
        value: {
          verdict: "sent",
          providerPayoutId: "po_5r4e3w2q1a0z",
          word: "initiated",
          operatorReference: null,
          failure: null,
          cost: null,
          environment: "unknown",
        },
      });
      expect(host?.calls[0]).toMatchObject({
        call: "POST /v1/payouts/initialize",
        headers: { authorization: "Bearer sk-1" },
      });
      expect(host?.calls[0]?.body).toEqual({
        amount: 5000,
        currency: "XOF",
        description: "Retrait 17",
        method: "mtn_bj",
        customer: { email: "17@app.example", first_name: "Awa", last_name: "Diop" },
        recipient: { msisdn: "2290197000000" },
        metadata: { withdrawal_id: "17", reference: "wd-17-1" },
      });
    },
  );

  test.each([
    [401, {}, { kind: "keys" }],
    [403, "", { kind: "keys" }],
    [400, { message: "Insufficient balance." }, { kind: "float" }],
    [422, { message: "Invalid.", errors: { amount: ["Solde insuffisant"] } }, { kind: "float" }],
    [422, { message: "Invalid.", errors: [] }, { kind: "request", message: "Invalid." }],
    [404, null, { kind: "request", message: null }],
  ])("is refused on %i, for good: %j", async (status, body, refusal) => {
    const moneroo = await answering({ status, body });
    expect(await moneroo.submit(request, null)).toEqual({ ok: false, refusal });
  });

  test.each([
    [{ status: 500, body: {} }],
    [{ status: 503, body: "" }],
    [{ status: 408, body: {} }],
    [{ status: 409, body: {} }],
    [{ status: 201, body: "<html>" }],
    [{ status: 200, body: { data: {} } }],
    [{ status: 302, body: "", headers: { location: "http://127.0.0.1:1/" } }],
    ["hang-up" as const],
    ["silent" as const],
  ])("is known to nobody on %j, without a second call", async (answer) => {
    const moneroo = await answering(answer, answer === "silent" ? 2_000 : 60_000);
    expect((await outageOf(moneroo.submit(request, null))).party).toBe("moneroo");
    expect(host?.calls).toHaveLength(1);
  });

  test("may be made again when it was never taken: too many requests, or no connection", async () => {
    const moneroo = await answering({ status: 429, body: {} });
    const refusal = { kind: "busy", retryAfterMs: 60_000 };
    expect(await moneroo.submit(request, null)).toEqual({ ok: false, refusal });
    const closed = createMonerooPayouts({
      secretKey: "k",
      webhookSecret: SECRET,
      apiRoot: nobodyListening(),
    });
    expect(await closed.submit(request, null)).toMatchObject({
      ok: false,
      refusal: { kind: "busy" },
    });
  });
});

describe("looking a payout up at Moneroo", () => {
  const name = { reference: "wd-17-1", handle: null, providerPayoutId: "po_5r4e3w2q1a0z" };

  test("goes by their id alone", async () => {
    const moneroo = await answering({ body: read("payout-verify") });
    expect(await moneroo.lookup({ ...name, providerPayoutId: null })).toBeNull();
    expect(host?.calls).toHaveLength(0);
    expect(await moneroo.lookup(name)).toEqual({
      verdict: "succeeded",
      providerPayoutId: "po_5r4e3w2q1a0z",
      word: "success",
      operatorReference: "7402951186",
      failure: null,
      cost: null,
      environment: "sandbox",
      amount: fcfa(5000),
      currency: "XOF",
      reference: "wd-17-1",
    });
    expect(host?.calls[0]?.call).toBe("GET /v1/payouts/po_5r4e3w2q1a0z/verify");
    expect([moneroo.findsByReference, moneroo.list]).toEqual([false, null]);
  });

  test("reads the flatter shape, with an empty array of metadata", async () => {
    const moneroo = await answering({ body: read("payout-retrieve") });
    expect(await moneroo.lookup(name)).toMatchObject({
      verdict: "failed",
      failure: "RECIPIENT_NOT_FOUND",
      amount: fcfa(5000),
      currency: "XOF",
      environment: "live",
      reference: null,
    });
  });

  test("is null for one they do not know, an outage for nonsense", async () => {
    expect(await (await answering({ status: 404, body: {} })).lookup(name)).toBeNull();
    await host?.close();
    await outageOf((await answering({ status: 401, body: {} })).lookup(name));
    await host?.close();
    const { data } = recorded("payout-verify");
    await outageOf((await answering({ body: { data: { ...data, id: 7 } } })).lookup(name));
  });
});

describe("a notice of Moneroo", () => {
  const keys = { secretKey: "k", webhookSecret: SECRET, apiRoot: "http://x" };
  const sign = (body: string) => createHmac("sha256", SECRET).update(body).digest("hex");
  const tell = (body: string, signature: string | string[] | undefined = sign(body)) => {
    const headers = { "x-moneroo-signature": signature };
    return createMonerooPayouts(keys).readNotice(headers, Buffer.from(body));
  };
  const nothing = { trusted: true, providerPayoutId: null, handle: null, reference: null };

  test("of a payout is about no payment, of a payment about no payout", () => {
    const [payout, payment] = [read("payout-notice"), read("notice")];
    expect(tell(payout)).toEqual({ ...nothing, providerPayoutId: "po_5r4e3w2q1a0z" });
    expect(tell(payment)).toEqual(nothing);
    const asPayment = (body: string) =>
      createMoneroo(keys).readNotice({ "x-moneroo-signature": sign(body) }, Buffer.from(body));
    expect(asPayment(payout)).toEqual({ trusted: true, providerPaymentId: null });
    expect(asPayment(payment)).toEqual({ trusted: true, providerPaymentId: "py_295vbecp06z7" });
  });

  test("is refused flipped, re-serialised, wrongly signed, unsigned or in upper case", () => {
    const body = read("payout-notice");
    const compact = JSON.stringify(JSON.parse(body));
    expect(tell(compact, sign(body))).toEqual({ trusted: false });
    expect(tell(body.replace("5000", "5001"), sign(body))).toEqual({ trusted: false });
    for (const header of ["", "0".repeat(64), sign(body).toUpperCase(), [sign(body), sign(body)]]) {
      expect(tell(body, header)).toEqual({ trusted: false });
    }
    expect(createMonerooPayouts(keys).readNotice({}, Buffer.from(body))).toEqual({
      trusted: false,
    });
  });

  test("is trusted whatever it says", () => {
    for (const body of [
      "",
      "null",
      '{"event":"payout.moon"}',
      '{"event":7,"data":{"id":"po_1"}}',
    ]) {
      expect(tell(body)).toEqual(nothing);
    }
  });
});
