import { readFileSync } from "node:fs";
import { fcfa } from "@sesame/kernel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPaydunyaNotice, environmentOfKey, isNo, isYes } from "./client.ts";
import {
  disburseVerdictOf,
  translateDisburseRefusal,
  translateInvoice,
  translateStatus,
  translateSubmitted,
} from "./index.ts";

const recorded = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL("./recorded/answers.json", import.meta.url), "utf8"))[name];

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

test("the private key says which world it opens", () => {
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
