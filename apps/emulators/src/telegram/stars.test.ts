import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { textOf } from "@sesame/kernel";
import { afterEach, describe, expect, test } from "vitest";
import { NORMAL_WEBHOOKS } from "../wire.ts";
import { INVOICE } from "../testing/callers.ts";
import { emulatorsEach, testEmulators } from "../testing/test-emulators.ts";
import type { Update } from "grammy/types";

const { emulators } = emulatorsEach({}, "file");

type Moves = { id: string; amount: number; source?: object; receiver?: object }[];

let payload = 0;
/** An invoice of its own for each test. */
const invoice = async (): Promise<{ payload: string; link: string }> => {
  const own = `order-${++payload}`;
  const answer = await emulators.call("buyer", "createInvoiceLink", { ...INVOICE, payload: own });
  return { payload: own, link: textOf(answer.result) };
};
/** An invoice that the buyer begins to pay. */
const begin = async () => {
  const { link, payload: own } = await invoice();
  return { own, ended: emulators.telegram.payInvoice({ personId: emulators.buyer, link }) };
};
const queryOf = (own: string) =>
  emulators
    .updates("buyer")
    .flatMap(({ pre_checkout_query: query }) => query ?? [])
    .findLast(({ invoice_payload: asked }) => asked === own);
const paymentsOf = (own: string) =>
  emulators
    .updates("buyer")
    .flatMap(({ message }) => message ?? [])
    .filter(({ successful_payment: paid }) => paid?.invoice_payload === own);
const answer = (id: string | undefined, how: object = { ok: true }) =>
  emulators.refusal("buyer", "answerPreCheckoutQuery", { pre_checkout_query_id: id, ...how });
const REFUSED = { ok: false, error_message: "Déjà payé." };
const paid = async () => {
  const { link, payload: own } = await invoice();
  const { telegram, panel, buyer: personId } = emulators;
  if (telegram.previewInvoice({ personId, link }).stars < 625) {
    panel.setStars({ personId, stars: 625 });
  }
  const ended = telegram.payInvoice({ personId, link });
  expect(await answer(queryOf(own)?.id)).toBe("no refusal");
  expect(await ended).toMatchObject({ status: "paid", why: null });
  const [message] = paymentsOf(own);
  const chargeId = message?.successful_payment?.telegram_payment_charge_id ?? "";
  return { link, own, chargeId };
};
const starsOf = (personId: number) =>
  emulators.state().persons.find(({ id }) => id === personId)?.stars ?? 0;
const moves = async (params: object = {}): Promise<Moves> => {
  const { result } = await emulators.call("buyer", "getStarTransactions", params);
  return (result as { transactions: Moves } | undefined)?.transactions ?? [];
};

afterEach(() => Object.assign(emulators.collectors.stars.webhooks, NORMAL_WEBHOOKS));

describe("an invoice", () => {
  test.each([
    ["another currency", { currency: "XOF" }, "CURRENCY_INVALID"],
    ["a provider's token", { provider_token: "1:TEST" }, "PAYMENT_PROVIDER_INVALID"],
    ["no price", { prices: [] }, "STARS_INVOICE_INVALID"],
    ["two prices", { prices: [INVOICE.prices[0], INVOICE.prices[0]] }, "STARS_INVOICE_INVALID"],
    ["half a Star", { prices: [{ label: "a", amount: 1.5 }] }, "CURRENCY_TOTAL_AMOUNT_INVALID"],
    ["nothing to pay", { prices: [{ label: "a", amount: 0 }] }, "CURRENCY_TOTAL_AMOUNT_INVALID"],
    ["no title", { title: " " }, 'parameter "title" is required'],
    ["a title of 33 characters", { title: "a".repeat(33) }, "invoice title is too long"],
    ["a description of 256", { description: "a".repeat(256) }, "invoice description is too long"],
    ["no payload", { payload: "" }, 'parameter "payload" is required'],
    ["a payload of 129 bytes", { payload: `${"é".repeat(64)}a` }, "INVOICE_PAYLOAD_INVALID"],
    ["a subscription", { subscription_period: 2_592_000 }, "STARS_INVOICE_INVALID"],
    ["tips", { max_tip_amount: 5 }, "STARS_INVOICE_INVALID"],
  ])("is refused with %s", async (_what, change, why) => {
    const params = { ...INVOICE, payload: "p", ...change };
    const said = await emulators.refusal("buyer", "createInvoiceLink", params);
    expect(said).toBe(`400 Bad Request: ${why}`);
  });

  test("may have 128 bytes of payload and 32 characters of title", async () => {
    const params = { ...INVOICE, payload: "é".repeat(64), title: "é".repeat(32) };
    expect(await emulators.refusal("buyer", "createInvoiceLink", params)).toBe("no refusal");
  });

  test("is seen by its link in both forms, on the phone of whoever taps it", async () => {
    const { link } = await invoice();
    const slug = link.replace("https://t.me/$", "");
    const personId = emulators.stranger;
    for (const url of [link, `https://t.me/invoice/${slug}`]) {
      expect(emulators.telegram.openLink({ personId, url })).toMatchObject({
        kind: "invoice",
        invoice: { slug, title: "Club VIP", amount: 625, stars: 5_000, botName: "Sésame" },
      });
    }
    const unknown = emulators.telegram.openLink({ personId, url: "https://t.me/$nothing" });
    expect(unknown.kind).toBe("unknown");
  });

  test("made a moment ago is what a page of the phone's browser leads back to", async () => {
    const personId = emulators.buyer;
    const { link } = await invoice();
    const back = () => emulators.telegram.backToTelegram({ personId }).invoice;
    expect(back()?.slug).toBe(link.replace("https://t.me/$", ""));
    emulators.telegram.cancelInvoice({ personId, link });
    expect(back()?.slug).not.toBe(link.replace("https://t.me/$", ""));
    await invoice();
    emulators.clock.advance(60_000);
    expect(back()).toBeNull();
  });
});

describe("a payment", () => {
  test("asks the bot first, then notifies it, and moves the Stars", async () => {
    const before = starsOf(emulators.buyer);
    const { own, chargeId } = await paid();
    expect(queryOf(own)).toMatchObject({ currency: "XTR", total_amount: 625 });
    const [message] = paymentsOf(own);
    expect(message?.chat).toMatchObject({ id: emulators.buyer, type: "private" });
    expect(message?.from?.id).toBe(emulators.buyer);
    expect(chargeId).not.toBe("");
    expect(starsOf(emulators.buyer)).toBe(before - 625);
    expect((await moves()).at(-1)).toMatchObject({
      id: chargeId,
      amount: 625,
      source: { type: "user", invoice_payload: own, user: { id: emulators.buyer } },
    });
    const dialog = emulators
      .state()
      .dialogs.find(({ personId, bot }) => personId === emulators.buyer && bot === "buyer");
    expect(dialog?.messages.at(-1)?.successful_payment?.total_amount).toBe(625);
  });

  test("of one link may be made by several people", async () => {
    const { link, payload: own } = await invoice();
    for (const personId of [emulators.buyer, emulators.stranger]) {
      const ended = emulators.telegram.payInvoice({ personId, link });
      expect(await answer(queryOf(own)?.id)).toBe("no refusal");
      expect((await ended).status).toBe("paid");
    }
    const payers = paymentsOf(own).map(({ from }) => from?.id);
    expect(payers).toEqual([emulators.buyer, emulators.stranger]);
  });

  test("fails with the words of a bot that refuses", async () => {
    const { own, ended } = await begin();
    expect(await answer(queryOf(own)?.id, REFUSED)).toBe("no refusal");
    expect(await ended).toMatchObject({ status: "failed", why: "refused", words: "Déjà payé." });
    expect(paymentsOf(own)).toEqual([]);
  });

  test("fails after ten seconds without an answer, and the answer is then too late", async () => {
    const { own, ended } = await begin();
    const { id } = queryOf(own) ?? {};
    emulators.clock.advance(9_999);
    expect(emulators.collectors.stars.find(own)?.status).toBe("pending");
    emulators.clock.advance(1);
    expect(await ended).toMatchObject({ status: "failed", why: "no-answer" });
    expect(await answer(id)).toContain("400 Bad Request: query is too old");
    expect(paymentsOf(own)).toEqual([]);
  });

  test("fails where the bot's answer is made to come late", async () => {
    emulators.panel.setStars({ late: true });
    const { own, ended } = await begin();
    expect(await answer(queryOf(own)?.id)).toContain("400 Bad Request: query is too old");
    expect(await ended).toMatchObject({ status: "failed", why: "no-answer" });
    emulators.panel.setStars({ late: false });
  });

  test("does not begin without enough Stars, and the bot receives nothing", async () => {
    const { link, payload: own } = await invoice();
    const personId = emulators.telegram.createPerson({ firstName: "Ama" }).id;
    emulators.panel.setStars({ personId, stars: 624 });
    const ended = await emulators.telegram.payInvoice({ personId, link });
    expect(ended).toMatchObject({ status: "failed", why: "not-enough", stars: 624 });
    expect(queryOf(own)).toBeUndefined();
  });

  test("is answered once, by the bot of the invoice alone", async () => {
    const { own, ended } = await begin();
    const params = { pre_checkout_query_id: queryOf(own)?.id, ok: true };
    expect(await emulators.refusal("seller", "answerPreCheckoutQuery", params)).toContain("400");
    expect(await answer(queryOf(own)?.id)).toBe("no refusal");
    expect((await ended).status).toBe("paid");
    expect(await answer(queryOf(own)?.id)).toContain("400");
  });

  test("a refusal without words is refused", async () => {
    expect(await answer("1", { ok: false })).toBe(
      '400 Bad Request: parameter "error_message" is required',
    );
  });

  test("fails when the bot does not ask for pre-checkout queries", async () => {
    await emulators.call("buyer", "getUpdates", { allowed_updates: ["message"] });
    const { own, ended } = await begin();
    expect(queryOf(own)).toBeUndefined();
    emulators.clock.advance(10_000);
    expect((await ended).why).toBe("no-answer");
    await emulators.call("buyer", "getUpdates", { allowed_updates: [] });
  });
});

describe("a refund", () => {
  test("gives the Stars back once, notifies the bot, and is a transaction of its own", async () => {
    const { chargeId, own } = await paid();
    const user_id = emulators.buyer;
    const params = { user_id, telegram_payment_charge_id: chargeId };
    const before = starsOf(user_id);
    expect(await emulators.refusal("buyer", "refundStarPayment", params)).toBe("no refusal");
    const message = emulators.updates("buyer").at(-1)?.message;
    expect(message?.refunded_payment).toMatchObject({
      telegram_payment_charge_id: chargeId,
      invoice_payload: own,
      total_amount: 625,
    });
    // Under the bot's own name, unlike a payment.
    expect(message?.from?.is_bot).toBe(true);
    expect(starsOf(user_id)).toBe(before + 625);
    expect(await emulators.refusal("buyer", "refundStarPayment", params)).toBe(
      "400 Bad Request: CHARGE_ALREADY_REFUNDED",
    );
    const [payment, refund] = (await moves()).slice(-2);
    expect([payment?.id, refund?.id]).toEqual([chargeId, chargeId]);
    expect(refund?.receiver).toMatchObject({ type: "user", invoice_payload: own });
    expect(emulators.collectors.stars.find(own)?.status).toBe("refunded");
  });

  test("is refused to another person and for an unknown charge", async () => {
    const { chargeId } = await paid();
    const refund = (user_id: number, telegram_payment_charge_id: string) =>
      emulators.refusal("buyer", "refundStarPayment", { user_id, telegram_payment_charge_id });
    expect(await refund(emulators.seller, chargeId)).toBe("400 Bad Request: CHARGE_NOT_FOUND");
    expect(await refund(emulators.buyer, "st-unknown")).toBe("400 Bad Request: CHARGE_NOT_FOUND");
    expect(await refund(5, chargeId)).toBe("400 Bad Request: USER_ID_INVALID");
  });
});

test("transactions come oldest first, by pages, and the balance is their sum", async () => {
  await paid();
  await paid();
  const all = await moves();
  expect(await moves({ offset: 1, limit: 2 })).toEqual(all.slice(1, 3));
  expect(await moves({ offset: all.length })).toEqual([]);
  for (const limit of [0, 101]) {
    const said = await emulators.refusal("buyer", "getStarTransactions", { limit });
    expect(said).toBe("400 Bad Request: LIMIT_INVALID");
  }
  const balance = await emulators.call("buyer", "getMyStarBalance");
  const sum = all.reduce((left, { amount, source }) => left + (source ? amount : -amount), 0);
  expect(balance.result).toEqual({ amount: sum });
  expect((await emulators.call("seller", "getMyStarBalance")).result).toEqual({ amount: 0 });
});

describe("a payment that the bot receives", () => {
  test("may be lost: the list of transactions alone has it", async () => {
    const { webhooks } = emulators.collectors.stars;
    webhooks.drop = true;
    const { own } = await paid();
    expect(paymentsOf(own)).toEqual([]);
    expect((await moves()).at(-1)?.source).toMatchObject({ invoice_payload: own });
  });

  test("may come twice, the same message", async () => {
    emulators.collectors.stars.webhooks.copies = 2;
    const { own, chargeId } = await paid();
    const received = paymentsOf(own);
    expect(received).toHaveLength(2);
    expect(new Set(received.map(({ message_id: id }) => id)).size).toBe(1);
    expect(received[1]?.successful_payment?.telegram_payment_charge_id).toBe(chargeId);
  });

  test("may come late, or again", async () => {
    const { webhooks, webhookViews, repeatWebhook } = emulators.collectors.stars;
    webhooks.delayMs = 60_000;
    const { own } = await paid();
    expect(paymentsOf(own)).toEqual([]);
    emulators.clock.advance(60_000);
    expect(paymentsOf(own)).toHaveLength(1);
    repeatWebhook(webhookViews().at(-1)?.id ?? 0);
    expect(paymentsOf(own)).toHaveLength(2);
  });

  test("may name a charge Telegram does not know", async () => {
    emulators.collectors.stars.webhooks.forgeSignature = true;
    const { chargeId } = await paid();
    const known = (await moves()).map(({ id }) => id);
    expect(known).not.toContain(chargeId);
  });
});

describe("the payments in Stars that a test holds", () => {
  test("pays as the given person, who gets the Stars for it", async () => {
    const { payload: own } = await invoice();
    const { stars } = emulators.collectors;
    const personId = emulators.telegram.createPerson({ firstName: "Yao" }).id;
    emulators.panel.setStars({ personId, stars: 1 });
    expect(stars.settle(own, "failure").status).toBe("failed");
    expect(stars.settle(own, "success", { personId }).status).toBe("pending");
    expect(queryOf(own)?.from.id).toBe(personId);
    expect(await answer(queryOf(own)?.id)).toBe("no refusal");
    const made = { reference: own, status: "paid", amount: 625, currency: "XTR" };
    expect(stars.find(own)).toMatchObject(made);
    expect(stars.find(stars.find(own)?.transactionId ?? "")?.reference).toBe(own);
    expect(() => stars.settle(own, "cancel")).toThrow("already paid");
    // Tried again, and refused: what is paid stays paid.
    stars.settle(own, "success");
    expect(await answer(queryOf(own)?.id, REFUSED)).toBe("no refusal");
    expect(stars.find(own)?.status).toBe("paid");
  });

  test("makes Telegram report another payment than was made", async () => {
    const { payload: own } = await invoice();
    const { stars } = emulators.collectors;
    stars.alter(own, { amount: 1, reference: "another" });
    stars.settle(own, "success");
    // Only the report is altered: the question before the payment has the true amount.
    expect(queryOf(own)?.total_amount).toBe(625);
    await answer(queryOf(own)?.id);
    expect(paymentsOf("another")[0]?.successful_payment?.total_amount).toBe(1);
    const altered = { amount: 1, source: { invoice_payload: "another" } };
    expect((await moves()).at(-1)).toMatchObject(altered);
    stars.alter(own, { amount: null, reference: null });
    expect((await moves()).at(-1)).toMatchObject({ amount: 625 });
  });

  test.each([
    ["create", "refuse", "400 Bad Request: STARS_INVOICE_INVALID"],
    ["create", "500", "500 Internal Server Error: restart"],
    ["create", "429", "429 Too Many Requests: retry after 3"],
    ["fetch", "keys", "401 Unauthorized"],
    ["fetch", "down", "502 Bad Gateway"],
    ["refund", "not-found", "400 Bad Request: CHARGE_NOT_FOUND"],
    ["refund", "refuse", "400 Bad Request: BALANCE_TOO_LOW"],
  ] as const)("makes %s fail by %s", async (call, kind, said) => {
    const { stars } = emulators.collectors;
    const ask = { create: "createInvoiceLink", fetch: "getStarTransactions" };
    const method = call === "refund" ? "refundStarPayment" : ask[call];
    const params = { ...INVOICE, payload: "p", user_id: 1, telegram_payment_charge_id: "st" };
    stars.fault(call, kind);
    expect(await emulators.refusal("buyer", method, params)).toBe(said);
    stars.fault(call, null);
    expect(stars.faults()).toEqual([]);
  });

  test.each([
    ["timeout-before", 0],
    ["timeout-after", 1],
    ["500-after", 1],
    ["nonsense", 0],
  ] as const)("breaks a refund by %s", async (kind, refunds) => {
    const { chargeId, own } = await paid();
    emulators.collectors.stars.fault("refund", kind);
    const params = { user_id: emulators.buyer, telegram_payment_charge_id: chargeId };
    const asked = await emulators.call("buyer", "refundStarPayment", params).catch(() => null);
    expect(asked ? asked.error_code : "broken").toBe(kind === "500-after" ? 500 : "broken");
    const status = emulators.collectors.stars.find(own)?.status;
    expect(status).toBe(refunds === 1 ? "refunded" : "paid");
  });
});

test("emulators that start again continue open payments", async () => {
  const dir = mkdtempSync(`${tmpdir()}/sesame-stars-`);
  const statePath = `${dir}/emulators.json`;
  const first = await testEmulators({ statePath });
  const kept = { ...INVOICE, payload: "kept" };
  const { result } = await first.call("buyer", "createInvoiceLink", kept);
  void first.telegram.payInvoice({ personId: first.buyer, link: String(result) });
  first.panel.setStars({ personId: first.buyer, stars: 700 });
  await first.close();
  const second = await testEmulators({ statePath });
  const [query] = (await second.call("buyer", "getUpdates")).result as unknown as Update[];
  const params = { pre_checkout_query_id: query?.pre_checkout_query?.id, ok: true };
  expect(await second.refusal("buyer", "answerPreCheckoutQuery", params)).toBe("no refusal");
  expect(second.collectors.stars.find("kept")?.status).toBe("paid");
  expect(second.state().persons.find(({ id }) => id === second.buyer)?.stars).toBe(75);
  await second.close();
  rmSync(dir, { recursive: true });
});
