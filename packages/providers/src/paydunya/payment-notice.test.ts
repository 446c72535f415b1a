import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NoticeReading } from "../port.ts";
import { createPaydunya, createPaydunyaPayouts } from "./index.ts";

const apiRoot = "http://nobody.invalid";
const bytes = (body: string) => Buffer.from(body);
const REFUSED: NoticeReading = { trusted: false };
const asked = (providerPaymentId: string | null): NoticeReading => ({
  trusted: true,
  providerPaymentId,
});

describe("PayDunya's notice", () => {
  const masterKey = "test-master-key";
  const HASH =
    "1f242d13fca84cf537ff47cd47971de7ad6d4dd244340c5d53815cef06464f0a111ec5dfc692ec7eb68d4265f55af149a3776969c3a1faba695b6b1c36358ede";
  const keys = { masterKey, privateKey: "live_private_1", token: "t", apiRoot };
  const paydunya = createPaydunya(keys);
  const read = (body: string) => paydunya.readNotice({}, bytes(body));
  const inner = (hash: unknown) =>
    JSON.stringify({ hash, status: "completed", invoice: { token: "aB3dE5fG7h" } });
  const SHAPES: Record<string, (hash: string) => string> = {
    "JSON in a form's data": (hash) => new URLSearchParams({ data: inner(hash) }).toString(),
    "bracketed fields": (hash) =>
      new URLSearchParams({
        "data[hash]": hash,
        "data[status]": "completed",
        "data[invoice][token]": "aB3dE5fG7h",
        "data[invoice][items][item_1][name]": "Accès",
      }).toString(),
    "JSON under data": (hash) => `{"data":${inner(hash)}}`,
    "JSON alone": (hash) => inner(hash),
  };

  test.each(Object.entries(SHAPES))("is read in %s", (_shape, write) => {
    expect(createHash("sha512").update(masterKey).digest("hex")).toBe(HASH);
    expect(read(write(HASH))).toEqual(asked("aB3dE5fG7h"));
    const another = createHash("sha512").update("another").digest("hex");
    for (const hash of [another, HASH.toUpperCase(), HASH.slice(1), `${HASH}0`, "", masterKey]) {
      expect(read(write(hash))).toEqual(REFUSED);
    }
    for (let at = 0; at < HASH.length; at += 1) {
      const digit = HASH[at] === "0" ? "1" : "0";
      expect(read(write(HASH.slice(0, at) + digit + HASH.slice(at + 1)))).toEqual(REFUSED);
    }
  });

  test("without a hash is nobody's; of nothing we know, it is acknowledged", () => {
    for (const body of ["", "{}", "null", "data=", "x", '{"hash":null}', '{"hash":["x"]}']) {
      expect(read(body)).toEqual(REFUSED);
    }
    for (const rest of [{}, { event: "moon" }, { invoice: [] }, { invoice: { token: "a b" } }]) {
      expect(read(JSON.stringify({ hash: HASH, ...rest }))).toEqual(asked(null));
    }
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        expect(read(JSON.stringify({ hash: HASH, data: value })).trusted).toBe(true);
        expect(read(text).trusted).toBe(false);
      }),
    );
  });

  test("of a payout asks about no payment, and one of a payment finds no payout", () => {
    const payout = { hash: HASH, disburse_invoice: "Zk3pQ9sWx1", token: "Zk3pQ9sWx1" };
    expect(read(JSON.stringify(payout))).toEqual(asked(null));
    expect(read(new URLSearchParams({ data: JSON.stringify(payout) }).toString())).toEqual(
      asked(null),
    );
    const payouts = createPaydunyaPayouts(keys);
    for (const write of Object.values(SHAPES)) {
      expect(payouts.readNotice({}, bytes(write(HASH)))).toMatchObject({ reference: null });
    }
  });
});
