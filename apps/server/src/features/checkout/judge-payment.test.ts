import { fcfa } from "@sesame/kernel";
import type { FetchedPayment } from "@sesame/providers";
import { describe, expect, test } from "vitest";
import { judgePayment } from "./judge-payment.ts";

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
    expect(judge({ reference: null })).toEqual({ kind: "paid" });
  });

  test.each([
    ["another payment", { providerPaymentId: "py_2" }, "id", null],
    ["less", { amount: fcfa(4_999) }, "amount", 4_999n],
    ["more", { amount: fcfa(5_001) }, "amount", 5_001n],
    ["no whole number", { amount: null }, "amount", null],
    ["another currency", { currency: "XAF" }, "currency", null],
    ["no currency", { currency: null }, "currency", null],
    ["another order", { reference: "18" }, "reference", 5_000n],
    ["a sandbox", { environment: "sandbox" }, "environment", null],
    ["an environment unsaid", { environment: "unknown" }, "environment", null],
  ] as const)("is a mismatch for %s", (_what, change, reason, received) => {
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
