import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fcfa } from "@sesame/kernel";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { nobodyListening, outageOf } from "../provider.test-host.ts";
import {
  createMoneroo,
  translateCreated,
  translateNotice,
  translatePayment,
  translateRefusal,
  verdictOf,
} from "./index.ts";

const SECRET = "test-moneroo-secret";

const BODY =
  '{"event":"payment.success","data":{"id":"py_test000000001","status":"success","amount":5000,"currency":"XOF"}}';

const SIGNATURE = "6ce656b0dc67cb2947bdb249d10aa4747802fdca1fb2ea0e2f431ec29c2754a3";

let server: Server | null = null;

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  server = null;
});

async function providerAnswering(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
  timeoutMs = 60_000,
) {
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return createMoneroo({
    secretKey: "sk_sandbox_0123456789",
    webhookSecret: SECRET,
    apiRoot: `http://127.0.0.1:${port}`,
    timeoutMs,
  });
}

const answering = (status: number, body: string, headers: Record<string, string> = {}) =>
  providerAnswering((_request, response) => response.writeHead(status, headers).end(body));

const request = {
  reference: "17",
  amount: fcfa(5000),
  description: "Abonnement",
  returnUrl: "https://app.example/paiement/retour/abc",
  noticeUrl: "https://app.example/webhooks/moneroo",
  customer: { email: "17@app.example", firstName: "Awa", lastName: "Awa" },
};

const name = {
  providerPaymentId: "py_1",
  reference: "17",
  amount: fcfa(5000),
  quote: null,
  heard: [],
};

describe("a signed notice", () => {
  const moneroo = createMoneroo({ secretKey: "k", webhookSecret: SECRET, apiRoot: "http://x" });
  const read = (body: string | Uint8Array, header: string | string[] | undefined) =>
    moneroo.readNotice(
      { "x-moneroo-signature": header },
      typeof body === "string" ? Buffer.from(body) : body,
    );

  test("is believed to be theirs by the published vector", () => {
    expect(read(BODY, SIGNATURE)).toEqual({
      trusted: true,
      providerPaymentId: "py_test000000001",
    });
  });

  test("is refused with any byte flipped", () => {
    const bytes = Buffer.from(BODY);
    for (let at = 0; at < bytes.length; at += 7) {
      const flipped = Uint8Array.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      expect(read(flipped, SIGNATURE)).toEqual({ trusted: false });
    }
  });

  test("is refused once re-serialised, and taken with unusual spacing when signed so", () => {
    const spaced = JSON.stringify(JSON.parse(BODY), null, 2);
    expect(read(spaced, SIGNATURE)).toEqual({ trusted: false });
    const signature = createHmac("sha256", SECRET).update(spaced).digest("hex");
    expect(read(spaced, signature)).toMatchObject({ trusted: true });
  });

  test("is refused with another secret, no header, two headers or upper-case hex", () => {
    const forged = createHmac("sha256", "another").update(BODY).digest("hex");
    for (const header of [forged, undefined, "", [SIGNATURE, SIGNATURE], SIGNATURE.toUpperCase()]) {
      expect(read(BODY, header)).toEqual({ trusted: false });
    }
    expect(read(BODY, `${SIGNATURE}00`)).toEqual({ trusted: false });
  });

  test("is trusted whatever it says, an unknown event or no JSON at all", () => {
    for (const body of ['{"event":"moon.landed"}', "not json", ""]) {
      const signature = createHmac("sha256", SECRET).update(body).digest("hex");
      expect(read(body, signature)).toEqual({ trusted: true, providerPaymentId: null });
    }
  });
});

describe("making a payment", () => {
  test("sends whole francs, our reference as text, and the key as bearer", async () => {
    let seen: { url: string | undefined; bearer: string | undefined; body: unknown } | null = null;
    const moneroo = await providerAnswering(async (incoming, response) => {
      let text = "";
      for await (const chunk of incoming) text += String(chunk);
      seen = {
        url: `${incoming.method} ${incoming.url}`,
        bearer: incoming.headers.authorization,
        body: JSON.parse(text),
      };
      response
        .writeHead(201)
        .end('{"message":"ok","data":{"id":"py_1","checkout_url":"https://pay.example/py_1"}}');
    });
    expect(await moneroo.createPayment(request)).toEqual({
      ok: true,
      value: {
        providerPaymentId: "py_1",
        redirectUrl: "https://pay.example/py_1",
        widget: null,
        quote: null,
      },
    });
    expect(seen).toEqual({
      url: "POST /v1/payments/initialize",
      bearer: "Bearer sk_sandbox_0123456789",
      body: {
        amount: 5000,
        currency: "XOF",
        description: "Abonnement",
        return_url: "https://app.example/paiement/retour/abc",
        customer: { email: "17@app.example", first_name: "Awa", last_name: "Awa" },
        metadata: { order_id: "17" },
      },
    });
  });

  test("is refused for its keys on 401 and 403, for its words on 422", async () => {
    expect(await (await answering(401, '{"message":"no"}')).createPayment(request)).toEqual({
      ok: false,
      refusal: { kind: "keys" },
    });
    await new Promise<void>((resolve) => server?.close(() => resolve()));
    const body = '{"message":"The amount is too small.","data":null,"errors":{"amount":["x"]}}';
    expect(await (await answering(422, body)).createPayment(request)).toEqual({
      ok: false,
      refusal: { kind: "request", message: "The amount is too small." },
    });
  });

  test.each([
    [201, '{"message":"ok","data":{"id":"py_1"}}'],
    [201, '{"message":"ok","data":{"id":"py_1","checkout_url":""}}'],
    [200, '{"message":"ok","data":null}'],
    [500, '{"data":{"id":"py_1","checkout_url":"https://pay.example/py_1"}}'],
  ])("has failed without an address to pay at, or with another status: %i %s", async (...row) => {
    const outage = await outageOf((await answering(...row)).createPayment(request));
    expect(outage).toMatchObject({ party: "moneroo" });
  });
});

describe("an outage of Moneroo", () => {
  test.each([500, 502, 503])("%i may be asked again", async (status) => {
    const outage = await outageOf((await answering(status, "{}")).fetchPayment(name));
    expect(outage).toMatchObject({ party: "moneroo", retryable: true });
  });

  test("429 says how long to wait, a minute when it does not", async () => {
    const told = await outageOf(
      (await answering(429, "{}", { "retry-after": "7" })).fetchPayment(name),
    );
    expect(told.retryAfterMs).toBe(7_000);
    await new Promise<void>((resolve) => server?.close(() => resolve()));
    const silent = await outageOf((await answering(429, "{}")).createPayment(request));
    expect(silent.retryAfterMs).toBe(60_000);
  });

  test.each([
    [200, "<html>maintenance</html>"],
    [200, '{"data":{}}'],
    [200, ""],
    [418, '{"message":"teapot"}'],
  ])("an answer %i of nonsense is not believed: %s", async (status, body) => {
    const outage = await outageOf((await answering(status, body)).fetchPayment(name));
    expect(outage.retryable).toBe(true);
  });

  test("silence ends after one timeout, without a second call", async () => {
    let calls = 0;
    const moneroo = await providerAnswering(() => {
      calls += 1;
    }, 700);
    await outageOf(moneroo.fetchPayment(name));
    expect(calls).toBe(1);
  });

  test("a closed door asks for no wait: its payments are asked about at their own pace", async () => {
    const apiRoot = nobodyListening();
    const closed = createMoneroo({ secretKey: "k", webhookSecret: SECRET, apiRoot });
    const outage = await outageOf(closed.fetchPayment(name));
    expect(outage).toMatchObject({ party: "moneroo", retryable: true, retryAfterMs: undefined });
  });

  test("a redirect is not followed: the key stays here", async () => {
    const moneroo = await answering(302, "", { location: "http://127.0.0.1:1/" });
    expect((await outageOf(moneroo.fetchPayment(name))).retryable).toBe(true);
  });
});

test("a payment they do not know is no answer at all", async () => {
  const moneroo = await answering(404, '{"message":"Not found"}');
  expect(await moneroo.fetchPayment(name)).toBeNull();
});

const recorded = (name: string): { data: Record<string, unknown> } =>
  JSON.parse(readFileSync(new URL("./recorded/answers.json", import.meta.url), "utf8"))[name];

const changed = (change: Record<string, unknown>) => ({
  data: { ...recorded("verify").data, ...change },
});

describe("Moneroo's word on a payment", () => {
  test("only success is a yes, only failed and cancelled are a no", () => {
    expect(verdictOf("success")).toBe("paid");
    expect(verdictOf("failed")).toBe("refused");
    expect(verdictOf("cancelled")).toBe("refused");
    for (const word of [
      "initiated",
      "pending",
      "succeeded",
      "processed",
      "SUCCESS",
      "mp_test",
      "",
    ]) {
      expect(verdictOf(word)).toBe("pending");
    }
  });

  test("no unknown word is ever money", () => {
    fc.assert(
      fc.property(fc.string(), (word) => {
        if (word !== "success") expect(verdictOf(word)).not.toBe("paid");
      }),
    );
  });
});

describe("an answer to verify", () => {
  test("is read in the shape of the verify page", () => {
    expect(translatePayment(recorded("verify"))).toEqual({
      providerPaymentId: "k4su1ii7abdz",
      verdict: "paid",
      word: "success",
      amount: fcfa(5000),
      currency: "XOF",
      environment: "sandbox",
      reference: "17",
    });
  });

  test("is read in the flatter shape of the retrieve page, with an empty array of metadata", () => {
    expect(translatePayment(recorded("retrieve"))).toEqual({
      providerPaymentId: "py_295vbecp06z7",
      verdict: "pending",
      word: "pending",
      amount: fcfa(5000),
      currency: "XOF",
      environment: "live",
      reference: null,
    });
  });

  test("has no amount when it is not a whole number of francs", () => {
    for (const amount of [5000.5, -1, Number.NaN, "5000,00", "abc", null, undefined, {}, 1e300]) {
      expect(translatePayment(changed({ amount }))?.amount).toBeNull();
    }
    expect(translatePayment(changed({ amount: "5000" }))?.amount).toBe(fcfa(5000));
    expect(translatePayment(changed({ amount: "5000.00" }))?.amount).toBe(fcfa(5000));
  });

  test("says live only in the words for it", () => {
    expect(translatePayment(changed({ environment: "live" }))?.environment).toBe("live");
    expect(translatePayment(changed({ environment: "production" }))?.environment).toBe("live");
    expect(translatePayment(changed({ environment: "test" }))?.environment).toBe("unknown");
    expect(translatePayment(changed({ environment: undefined }))?.environment).toBe("unknown");
  });

  test("is nonsense without an id or a status, and never throws", () => {
    expect(translatePayment(changed({ id: null }))).toBeNull();
    expect(translatePayment(changed({ id: "../other" }))).toBeNull();
    expect(translatePayment(changed({ status: 1 }))).toBeNull();
    fc.assert(fc.property(fc.jsonValue(), (body) => void translatePayment(body)));
  });
});

describe("an answer to initialize", () => {
  test("gives the id and the address under data", () => {
    expect(translateCreated(recorded("initialize"))).toEqual({
      providerPaymentId: "py_295vbecp06z7",
      redirectUrl: "https://checkout.moneroo.io/py_295vbecp06z7",
      widget: null,
      quote: null,
    });
  });

  test("is nonsense without a web address", () => {
    const { data } = recorded("initialize");
    expect(translateCreated({ data: { ...data, checkout_url: "javascript:alert(1)" } })).toBeNull();
    expect(translateCreated({ data: { id: "py_1" } })).toBeNull();
    expect(translateCreated({ checkout_url: "https://x.example", id: "py_1" })).toBeNull();
  });
});

describe("a refused request", () => {
  test("keeps the provider's words whatever the shape of its errors", () => {
    const message = "The given data was invalid.";
    for (const errors of [null, [], [{ field: "amount" }], { amount: ["too small"] }]) {
      expect(translateRefusal({ message, data: null, errors })).toBe(message);
    }
    expect(translateRefusal({ message: " " })).toBeNull();
    expect(translateRefusal("oops")).toBeNull();
  });
});

describe("a notice", () => {
  test("says which payment it is about, with or without its customer", () => {
    const body = Buffer.from(JSON.stringify(recorded("notice")));
    expect(translateNotice(body)).toBe("py_295vbecp06z7");
    const short = { event: "payment.unheard-of", data: { id: "py_1" } };
    expect(translateNotice(Buffer.from(JSON.stringify(short)))).toBe("py_1");
  });

  test("is about no payment when it is malformed", () => {
    for (const text of [
      "",
      "{",
      "null",
      "[]",
      '{"data":{"id":7}}',
      '{"data":{"id":"a\\u0000b"}}',
    ]) {
      expect(translateNotice(Buffer.from(text))).toBeNull();
    }
    expect(translateNotice(Uint8Array.from([0xff, 0xfe, 0x00]))).toBeNull();
  });
});
