import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { fcfa } from "@sesame/kernel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
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

test("the secret key says which world it opens", () => {
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
