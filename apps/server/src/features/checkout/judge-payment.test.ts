import { fcfa } from "@sesame/kernel";
import type { FetchedPayment } from "@sesame/providers";
import { describe, expect, test } from "vitest";
import { judgePayment } from "./apply-answers.ts";

const expected = { providerPaymentId: "py_1", amount: fcfa(5_000), reference: "17" };
const yes: FetchedPayment = {
  providerPaymentId: "py_1",
  verdict: "paid",
  word: "success",
  amount: fcfa(5_000),
  currency: "XOF",
  environment: "live",
  reference: "17",
};
const judge = (change: Partial<FetchedPayment>, production = true) =>
  judgePayment(expected, { ...yes, ...change }, { production });

describe("a provider's answer", () => {
  test("is money only when it says yes to exactly what was ordered", () => {
    expect(judge({})).toEqual({ kind: "paid" });
  });

  test.each([
    {
      what: "another payment",
      change: { providerPaymentId: "py_2" },
      reason: "id",
      received: null,
    },
    { what: "less", change: { amount: fcfa(4_999) }, reason: "amount", received: 4_999n },
    { what: "more", change: { amount: fcfa(5_001) }, reason: "amount", received: 5_001n },
    { what: "no whole number", change: { amount: null }, reason: "amount", received: null },
    { what: "another currency", change: { currency: "XAF" }, reason: "currency", received: null },
    { what: "no currency", change: { currency: null }, reason: "currency", received: null },
    { what: "another order", change: { reference: "18" }, reason: "reference", received: 5_000n },
    {
      what: "an order it does not name",
      change: { reference: null },
      reason: "reference",
      received: 5_000n,
    },
    {
      what: "money of which a part went back",
      change: { verdict: "partly-refunded" },
      reason: "partly-refunded",
      received: null,
    },
    {
      what: "a sandbox",
      change: { environment: "sandbox" },
      reason: "environment",
      received: null,
    },
    {
      what: "an environment unsaid",
      change: { environment: "unknown" },
      reason: "environment",
      received: null,
    },
  ] as const)("is a mismatch for $what", ({ change, reason, received }) => {
    expect(judge(change)).toEqual({ kind: "mismatch", reason, received });
  });

  test("of a sandbox is money in a demo, and never in production", () => {
    expect(judge({ environment: "sandbox" }, false)).toEqual({ kind: "paid" });
    expect(judge({ environment: "sandbox" }, true)).toMatchObject({ kind: "mismatch" });
  });

  test("that is no yes is compared with nothing", () => {
    expect(judge({ verdict: "refused", amount: null })).toEqual({ kind: "refused" });
    expect(judge({ verdict: "pending", currency: null })).toEqual({ kind: "pending" });
    expect(judgePayment(expected, null, { production: true })).toEqual({ kind: "pending" });
  });
});
