import { describe, expect, test } from "vitest";
import { paymentKits } from "../testing/callers.ts";
import { emulatorsEach } from "../testing/test-emulators.ts";
import type { PaymentView } from "../wire.ts";

const { emulators } = emulatorsEach({}, "file");

const KITS = paymentKits(() => emulators);
const NAMES = Object.keys(KITS) as (keyof typeof KITS)[];

describe("a provider of payments", () => {
  test.each(NAMES)("%s answers what it is made to answer, and the truth again", async (name) => {
    const { create, fetch } = KITS[name];
    const payments = emulators.collectors[name];
    await create("altered");
    const { id } = payments.find("altered") as PaymentView;
    const truth = await fetch(id);
    payments.alter(id, { amount: 4999, reference: "stranger", status: "on_hold" });
    const lie = await fetch(id);
    for (const said of ["on_hold", "4999", "stranger"]) expect(lie.text).toContain(said);
    expect(lie.text).not.toContain("altered");
    payments.alter(id, { amount: null, reference: null, status: null });
    expect((await fetch(id)).text).toBe(truth.text);
  });

  test.each(NAMES)("%s takes a payment once, and keeps each of its outcomes", async (name) => {
    const { create } = KITS[name];
    const payments = emulators.collectors[name];
    await create("ends");
    const ended = () => payments.find("ends")?.status;
    payments.settle("ends", "pending");
    expect(ended()).toBe("pending");
    payments.settle("ends", "failure");
    expect(ended()).toBe(name === "cryptopay" ? "pending" : "failed");
    payments.settle("ends", "cancel");
    expect(ended()).toBe(name === "cryptopay" ? "pending" : "cancelled");
    payments.settle("ends", "success");
    expect(ended()).toBe("paid");
    expect(() => payments.settle("ends", "success")).toThrow(/paid/);
  });

  test.each(NAMES)("%s separates the accounts of two merchants", async (name) => {
    const { create, fetch } = KITS[name];
    const payments = emulators.collectors[name];
    const seller = emulators.merchants[name].open();
    await create("apart-seller", seller.keys);
    await create("apart-app");
    const id = (reference: string) => payments.find(reference)?.id ?? "";
    const seen = async (reference: string, keys?: object) =>
      (await fetch(id(reference), keys)).text.includes(reference);
    expect(await seen("apart-seller", seller.keys)).toBe(true);
    expect(await seen("apart-app")).toBe(true);
    expect(await seen("apart-seller")).toBe(false);
    expect(await seen("apart-app", seller.keys)).toBe(false);
  });
});
