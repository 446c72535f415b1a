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
import { environmentOfKey, isNo, isYes, readPaydunyaNotice } from "./client.ts";
import {
  createPaydunyaPayouts,
  disburseVerdictOf,
  translateDisburseRefusal,
  translateInvoice,
  translateStatus,
  translateSubmitted,
} from "./index.ts";

const recorded = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL("./recorded/answers.json", import.meta.url), "utf8"))[name];

let host: ProviderHost | null = null;

afterEach(async () => {
  await host?.close();
  host = null;
});

const KEYS = { masterKey: "mk-1", privateKey: "live_private_1", token: "tk-1" };

/** By the last word of the path. */
async function answering(answers: Record<string, ScriptedAnswer>, timeoutMs = 60_000) {
  const started = await hostProvider(
    ({ call }) => answers[call.split("/").at(-1) ?? ""] ?? { status: 500, body: {} },
  );
  host = started;
  return createPaydunyaPayouts({ ...KEYS, apiRoot: started.apiRoot, timeoutMs });
}

const request: PayoutRequest = {
  reference: "wd-17-1",
  withdrawalId: "17",
  amount: fcfa(5000),
  method: "mtn-benin",
  phone: "+2290197000000",
  description: "Retrait 17",
  recipient: { firstName: "Awa", lastName: "Diop", email: "17@app.example" },
  callbackUrl: "https://app.example/webhooks/paydunya",
};

const no = (response_code: string, response_text: string) => ({
  body: { response_code, response_text },
});

const status = (word: string) => ({ body: { ...recorded("check-status"), status: word } });

describe("the first step", () => {
  test("sends the local number, whole francs and our reference, and keeps the token", async () => {
    const paydunya = await answering({ "get-invoice": { body: recorded("get-invoice") } });
    expect(await paydunya.prepare(request)).toEqual({ ok: true, value: { handle: "Zk3pQ9sWx1" } });
    const [seen] = host?.calls ?? [];
    expect(seen).toMatchObject({
      call: "POST /api/v2/disburse/get-invoice",
      headers: {
        "paydunya-master-key": "mk-1",
        "paydunya-private-key": "live_private_1",
        "paydunya-token": "tk-1",
      },
    });
    expect(seen?.body).toEqual({
      account_alias: "0197000000",
      amount: 5000,
      withdraw_mode: "mtn-benin",
      callback_url: "https://app.example/webhooks/paydunya",
      disburse_id: "wd-17-1",
    });
  });

  test.each([
    [no("1001", "Invalid masterkey"), { kind: "keys" }],
    [no("401", "API disburse not enabled"), { kind: "keys" }],
    [{ status: 403, body: "" }, { kind: "keys" }],
    [no("4002", "Insufficient balance to process"), { kind: "float" }],
    [no("4002", "Votre solde est insuffisant"), { kind: "float" }],
    [no("4003", "Numéro inconnu"), { kind: "request", message: "Numéro inconnu" }],
    [
      { status: 422, body: { response_code: "42", response_text: "x" } },
      { kind: "request", message: "x" },
    ],
  ])("is refused in their words, with 200 too: %j", async (answer, refusal) => {
    const paydunya = await answering({ "get-invoice": answer });
    expect(await paydunya.prepare(request)).toEqual({ ok: false, refusal });
  });

  test.each([
    { body: "<html>" },
    { body: {} },
    { body: { response_code: "00" } },
    { body: { response_code: "00", disburse_token: { a: 1 } } },
    { status: 500, body: {} },
    { status: 409, body: {} },
  ])("answered by nonsense is no answer: %j", async (answer) => {
    const paydunya = await answering({ "get-invoice": answer });
    expect((await outageOf(paydunya.prepare(request))).party).toBe("paydunya");
  });
});

describe("the second step", () => {
  test("submits the token under our reference", async () => {
    const paydunya = await answering({ "submit-invoice": { body: recorded("submit-invoice") } });
    expect(await paydunya.submit(request, "Zk3pQ9sWx1")).toEqual({
      ok: true,
      value: {
        verdict: "sent",
        providerPayoutId: "TFA-000451237",
        word: "pending",
        operatorReference: null,
        failure: null,
        cost: null,
        environment: "live",
      },
    });
    expect(host?.calls[0]?.body).toEqual({
      disburse_invoice: "Zk3pQ9sWx1",
      disburse_id: "wd-17-1",
    });
  });

  test("is believed when it says the end at once, and is only sent when it says nothing", async () => {
    for (const [word, verdict] of [
      ["success", "succeeded"],
      ["failed", "failed"],
      ["created", "sent"],
      ["moon", "sent"],
      [undefined, "sent"],
    ]) {
      const body = { ...recorded("submit-invoice"), status: word };
      const paydunya = await answering({ "submit-invoice": { body } });
      expect(await paydunya.submit(request, "tok")).toMatchObject({ ok: true, value: { verdict } });
      await host?.close();
    }
  });

  test("said no to is refused once the payout itself says that nothing left", async () => {
    for (const word of ["created", "failed"]) {
      const paydunya = await answering({
        "submit-invoice": { body: recorded("refused") },
        "check-status": status(word),
      });
      const refused = { ok: false, refusal: { kind: "float" } };
      expect(await paydunya.submit(request, "tok")).toEqual(refused);
      await host?.close();
    }
  });

  test("said no to, while the payout is on its way, is a payout on its way", async () => {
    for (const [word, verdict] of [
      ["pending", "sent"],
      ["success", "succeeded"],
    ] as const) {
      const paydunya = await answering({
        "submit-invoice": no("5000", "disburse_id already used"),
        "check-status": status(word),
      });
      expect(await paydunya.submit(request, "tok")).toMatchObject({ ok: true, value: { verdict } });
      await host?.close();
    }
  });

  test.each([
    ["nothing is known of the payout", no("4000", "no"), no("4004", "unknown token")],
    ["the payout cannot be asked", no("4000", "no"), { status: 503, body: {} }],
    ["the keys are refused meanwhile", no("1001", "keys"), no("1001", "keys")],
    ["our reference went by another token", no("5000", "already used"), status("created")],
    ["the answer is lost", { status: 502, body: "" }, status("created")],
    ["the answer is nonsense", { body: "ok" }, status("created")],
    ["the line is cut", "hang-up", status("created")],
  ] as const)("is known to nobody when %s", async (_why, submitted, checked) => {
    const paydunya = await answering({ "submit-invoice": submitted, "check-status": checked });
    await outageOf(paydunya.submit(request, "tok"));
  });

  test("not answered in time is known to nobody, without a second call", async () => {
    const paydunya = await answering({ "submit-invoice": "silent" }, 2_000);
    await outageOf(paydunya.submit(request, "tok"));
    expect(host?.calls).toHaveLength(1);
  });

  test("may be made again when it was never taken: too many requests, or no connection", async () => {
    const headers = { "retry-after": "7" };
    const busy = await answering({ "submit-invoice": { status: 429, body: {}, headers } });
    expect(await busy.submit(request, "tok")).toEqual({
      ok: false,
      refusal: { kind: "busy", retryAfterMs: 7_000 },
    });
    const closed = createPaydunyaPayouts({ ...KEYS, apiRoot: nobodyListening() });
    expect(await closed.submit(request, "tok")).toMatchObject({
      ok: false,
      refusal: { kind: "busy" },
    });
  });
});

describe("looking a payout up", () => {
  const name = { reference: "wd-17-1", handle: "Zk3pQ9sWx1", providerPayoutId: null };

  test("goes by the token, and tells amount, reference and the operator's own", async () => {
    const paydunya = await answering({ "check-status": { body: recorded("check-status") } });
    expect(await paydunya.lookup(name)).toEqual({
      verdict: "succeeded",
      providerPayoutId: "TFA-000451237",
      word: "success",
      operatorReference: "7402951186",
      failure: null,
      cost: null,
      environment: "live",
      amount: fcfa(5000),
      currency: null,
      reference: "wd-17-1",
    });
    expect(host?.calls[0]?.body).toEqual({ disburse_invoice: "Zk3pQ9sWx1" });
  });

  test("finds nothing without a token, or by one they do not know", async () => {
    const paydunya = await answering({ "check-status": no("4004", "Token introuvable") });
    expect(await paydunya.lookup({ ...name, handle: null })).toBeNull();
    expect(host?.calls).toHaveLength(0);
    expect(await paydunya.lookup(name)).toBeNull();
  });

  test("learns nothing from a failure that is not said with their yes", async () => {
    const paydunya = await answering({
      "check-status": { body: { response_code: "4000", status: "failed" } },
    });
    expect(await paydunya.lookup(name)).toBeNull();
  });

  test("is an outage on refused keys, on 429 with its wait, on silence, on nonsense", async () => {
    const outage = async (answer: ScriptedAnswer) => {
      const paydunya = await answering(
        { "check-status": answer },
        answer === "silent" ? 50 : 60_000,
      );
      const error = await outageOf(paydunya.lookup(name));
      await host?.close();
      return error;
    };
    expect((await outage(no("1001", "keys"))).retryable).toBe(true);
    expect((await outage({ status: 429, body: {} })).retryAfterMs).toBe(60_000);
    await outage("silent");
    await outage({ body: "nonsense" });
    await outage({ body: { response_code: "00" } });
    await outage({ status: 302, body: "", headers: { location: "http://127.0.0.1:1/" } });
  });
});

describe("PayDunya's word on a payout", () => {
  test("only success is a yes, only failed is a no, only created was never told", () => {
    expect(disburseVerdictOf("success")).toBe("succeeded");
    expect(disburseVerdictOf("failed")).toBe("failed");
    expect(disburseVerdictOf("created")).toBe("not-started");
    for (const word of ["pending", "completed", "SUCCESS", "cancelled", "00", ""]) {
      expect(disburseVerdictOf(word)).toBe("sent");
    }
  });

  test("no unknown word is money, or a failure, or nothing done", () => {
    fc.assert(
      fc.property(fc.string(), (word) => {
        if (!["success", "failed", "created"].includes(word)) {
          expect(disburseVerdictOf(word)).toBe("sent");
        }
      }),
    );
  });

  test("is a yes by the code 00 alone, as they write it", () => {
    expect(isYes({ response_code: "00" })).toBe(true);
    for (const code of ["0", 0, "000", "", null, undefined, ["00"]]) {
      expect(isYes({ response_code: code })).toBe(false);
    }
    expect(isNo({ response_code: 1001 })).toBe(true);
    for (const body of [{}, { response_code: null }, null, "no", []])
      expect(isNo(body)).toBe(false);
  });
});

describe("an answer to check-status", () => {
  const changed = (change: object) =>
    translateStatus({ ...recorded("check-status"), ...change }, "live");

  test("tells the amount as a number or as text, and nothing of half a franc", () => {
    expect(changed({ amount: "5000.00" })?.amount).toBe(fcfa(5000));
    expect(changed({ amount: 5000 })?.amount).toBe(fcfa(5000));
    for (const amount of [5000.5, "5000.5", "5 000", -1, null, {}, "abc"]) {
      expect(changed({ amount })?.amount).toBeNull();
    }
  });

  test("tells why it failed, and only then", () => {
    expect(changed({ status: "failed", response_text: "Numéro inconnu" })?.failure).toBe(
      "Numéro inconnu",
    );
    expect(changed({ status: "pending", response_text: "En cours" })?.failure).toBeNull();
  });

  test("is nonsense without a status, and never throws", () => {
    expect(changed({ status: undefined })).toBeNull();
    expect(changed({ status: 1 })).toBeNull();
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        translateStatus(body, "live");
        translateSubmitted(body, "live");
        translateInvoice(body);
        translateDisburseRefusal(200, body);
      }),
    );
  });

  test("keeps no token that could not be one", () => {
    for (const disburse_token of ["", "a b", "../x", 7, null, "x".repeat(201)]) {
      expect(translateInvoice({ response_code: "00", disburse_token })).toBeNull();
    }
  });
});

test("the private key says which of their two worlds it opens", () => {
  expect(environmentOfKey("live_private_x")).toBe("live");
  expect(environmentOfKey("test_private_x")).toBe("sandbox");
  expect(environmentOfKey("private")).toBe("unknown");
});

const HASH =
  "1f242d13fca84cf537ff47cd47971de7ad6d4dd244340c5d53815cef06464f0a111ec5dfc692ec7eb68d4265f55af149a3776969c3a1faba695b6b1c36358ede";

describe("a notice of PayDunya", () => {
  const read = (body: string, key = "test-master-key") =>
    readPaydunyaNotice(Buffer.from(body), key);
  const told = {
    hash: HASH,
    status: "success",
    token: "Zk3pQ9sWx1",
    disburse_id: "wd-17-1",
    transaction_id: "TFA-000451237",
  };
  const read17 = {
    trusted: true,
    providerPayoutId: "TFA-000451237",
    handle: "Zk3pQ9sWx1",
    reference: "wd-17-1",
  };
  const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

  test("is read in every shape it was seen in, by the published vector", () => {
    const bracketed = Object.fromEntries(
      Object.entries(told).map(([name, value]) => [`data[${name}]`, value]),
    );
    for (const body of [
      form({ data: JSON.stringify(told) }),
      form(bracketed),
      form(told),
      JSON.stringify(told),
      JSON.stringify({ data: told }),
      JSON.stringify({ hash: HASH, data: { ...told, hash: undefined } }),
      form({ data: JSON.stringify({ data: told }) }),
    ]) {
      expect(read(body)).toEqual(read17);
    }
  });

  test("names the token by each of the words it may have", () => {
    for (const name of ["disburse_invoice", "disburse_token", "token"]) {
      expect(read(JSON.stringify({ hash: HASH, [name]: "Zk3" }))).toEqual({
        trusted: true,
        providerPayoutId: null,
        handle: "Zk3",
        reference: null,
      });
    }
  });

  test("is refused with another key, no hash, upper-case hex, or any byte of it flipped", () => {
    const body = (hash: unknown) => JSON.stringify({ ...told, hash });
    expect(read(body(HASH), "another-key")).toEqual({ trusted: false });
    for (const hash of [undefined, null, "", HASH.toUpperCase(), `${HASH}00`, [HASH], 7]) {
      expect(read(body(hash))).toEqual({ trusted: false });
    }
    for (let at = 0; at < HASH.length; at += 5) {
      const flipped = HASH.slice(0, at) + (HASH[at] === "0" ? "1" : "0") + HASH.slice(at + 1);
      expect(read(body(flipped))).toEqual({ trusted: false });
    }
    for (const text of ["", "null", "[]", "{", "data=", "data=%7B", "hash"]) {
      expect(read(text)).toEqual({ trusted: false });
    }
  });

  test("is trusted whatever else it says, the same each time it comes", () => {
    const odd = JSON.stringify({ hash: HASH, token: "../x", disburse_id: "a b", more: [[[[1]]]] });
    const nothing = { trusted: true, providerPayoutId: null, handle: null, reference: null };
    expect([read(odd), read(odd)]).toEqual([nothing, nothing]);
  });

  test("never throws, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(readPaydunyaNotice(bytes, "test-master-key")).toEqual({ trusted: false });
      }),
    );
    fc.assert(fc.property(fc.jsonValue(), (value) => void read(JSON.stringify(value))));
  });
});
