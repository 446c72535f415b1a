import { describe, expect, test } from "vitest";
import { ask, type CallAnswer, INVOICE, kkiapayCallers, paymentKits } from "../testing/callers.ts";
import { emulatorsEach, TOKENS } from "../testing/test-emulators.ts";
import type { PaymentCall, PaymentFault, PaymentView } from "../wire.ts";

const { emulators } = emulatorsEach({}, "file");

const KITS = paymentKits(() => emulators);
type Name = keyof typeof KITS;
const NAMES = Object.keys(KITS) as Name[];

/** What each fault answers at these two; null: the connection broke, or what came is no answer. */
const STATUSES: Record<PaymentFault, Record<"kkiapay" | "stars", number | null>> = {
  refuse: { kkiapay: 400, stars: 400 },
  keys: { kkiapay: 401, stars: 401 },
  "not-found": { kkiapay: 404, stars: 404 },
  "429": { kkiapay: 429, stars: 429 },
  "500": { kkiapay: 500, stars: 500 },
  "500-after": { kkiapay: 500, stars: 500 },
  down: { kkiapay: 503, stars: 502 },
  nonsense: { kkiapay: 200, stars: 200 },
  "timeout-before": { kkiapay: null, stars: null },
  "timeout-after": { kkiapay: null, stars: null },
};
const KINDS = Object.keys(STATUSES) as PaymentFault[];
const DONE: readonly PaymentFault[] = ["timeout-after", "500-after"];

/** The answer that the app sees for each fault, as KkiaPay's but for refusals. */
function expected(name: Name, kind: PaymentFault): [number, string] | null {
  const refusals: Partial<Record<PaymentFault, [number, string]>> = KITS[name].refusals;
  const { kkiapay: status } = STATUSES[kind];
  if (status === null) return null;
  return refusals[kind] ?? [status, kind === "nonsense" ? "<html>" : ""];
}

const TABLE = NAMES.flatMap((name) => KINDS.map((kind) => [name, kind] as const));

describe("a provider of payments", () => {
  test.each(TABLE)("%s, made to answer a creation by %s, answers so once", async (name, kind) => {
    const { create } = KITS[name];
    const payments = emulators.collectors[name];
    const reference = `create-${kind}`;
    payments.fault("create", kind);
    const answer = await create(reference).catch(() => null);
    const shows = expected(name, kind);
    expect(answer?.status ?? null).toBe(shows?.[0] ?? null);
    expect(answer?.text ?? "").toContain(shows?.[1] ?? "");
    expect(payments.find(reference) !== undefined).toBe(DONE.includes(kind));
    // Conditions stay; events are over.
    expect(payments.faults()).toHaveLength(kind === "down" || kind === "keys" ? 1 : 0);
    payments.fault("create", null);
    expect((await create(`${reference}-again`)).status).toBeLessThan(300);
  });

  test.each(NAMES)("%s, made to answer wrongly, answers the truth afterwards", async (name) => {
    const { create, fetch, word, paid } = KITS[name];
    const payments = emulators.collectors[name];
    await create("truth");
    const id = payments.find("truth")?.id ?? "";
    payments.settle(id, "success", { silent: true });
    // How a question is refused differs from how a creation is.
    for (const kind of KINDS.filter((each) => each !== "refuse")) {
      payments.fault("fetch", kind, 1);
      const answer = await fetch(id).catch(() => null);
      expect([kind, answer?.status ?? null]).toEqual([kind, expected(name, kind)?.[0] ?? null]);
    }
    expect(word(await fetch(id))).toBe(paid);
    expect(payments.faults()).toEqual([]);
  });

  test.each(NAMES)("%s answers what it is made to answer, and the truth again", async (name) => {
    const { create, fetch, word } = KITS[name];
    const payments = emulators.collectors[name];
    await create("altered");
    const { id } = payments.find("altered") as PaymentView;
    const truth = await fetch(id);
    payments.alter(id, { amount: 4999, reference: "stranger", status: "on_hold" });
    const lie = await fetch(id);
    expect(word(lie)).toBe("on_hold");
    expect(lie.text).toContain("4999");
    expect(lie.text).toContain("stranger");
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

const kkiapay = kkiapayCallers(() => emulators);
const star = (method: string, body: object) => () =>
  ask(emulators, `/bot${TOKENS.buyer}/${method}`, { body });

/** The panel's other calls: KkiaPay's payments begin in a browser, Stars are Telegram's. */
const CALLS: Record<
  "kkiapay" | "stars",
  Partial<Record<PaymentCall, () => Promise<CallAnswer>>>
> = {
  kkiapay: {
    fetch: () => kkiapay.ask("status", kkiapay.paid().id),
    refund: () => kkiapay.ask("revert", kkiapay.paid().id),
  },
  stars: {
    create: star("createInvoiceLink", { ...INVOICE, payload: "order-1" }),
    fetch: star("getStarTransactions", {}),
    refund: star("refundStarPayment", { user_id: 1, telegram_payment_charge_id: "st" }),
  },
};

const OTHERS = (["kkiapay", "stars"] as const).flatMap((name) =>
  Object.entries(CALLS[name]).flatMap(([call, send]) =>
    KINDS.map((kind) => [name, call as PaymentCall, kind, send] as const),
  ),
);

test.each(OTHERS)("%s, asked to %s, meets %s once", async (name, call, kind, send) => {
  const payments = emulators.collectors[name];
  payments.fault(call, kind, 1);
  const answer = await send().catch(() => null);
  const unknownCharge = name === "stars" && call === "refund" && kind === "not-found";
  expect(answer?.status ?? null).toBe(unknownCharge ? 400 : STATUSES[kind][name]);
  // Nothing of what is answered otherwise.
  expect(answer?.body.transactionId ?? answer?.body.result).toBe(undefined);
  expect(payments.faults()).toEqual([]);
});
