import { readFileSync } from "node:fs";
import { fcfa } from "@sesame/kernel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  translateCreated,
  translateNotice,
  translatePayment,
  translateRefusal,
  verdictOf,
} from "./index.ts";

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
