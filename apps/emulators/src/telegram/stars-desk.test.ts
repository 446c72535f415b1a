import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { NORMAL_NOTICES } from "../kit/webhooks.ts";
import type { Update } from "./bot-api.ts";
import { INVOICE, starCallers } from "../testing/callers.ts";
import { type TestEmulators, testEmulators } from "../testing/test-emulators.ts";

let emulators: TestEmulators;
const { invoice, queryOf, paymentsOf, answer, paid, moves } = starCallers(() => emulators);

beforeAll(async () => {
  emulators = await testEmulators();
});

afterEach(() => {
  Object.assign(emulators.collectors.stars.notices, NORMAL_NOTICES);
  expect(emulators.complaints()).toEqual([]);
});

afterAll(() => emulators.close());

describe("what the bot is told", () => {
  test("may be lost: the list of transactions alone has it", async () => {
    const { notices } = emulators.collectors.stars;
    notices.drop = true;
    const { own } = await paid();
    expect(paymentsOf(own)).toEqual([]);
    expect((await moves()).at(-1)?.source).toMatchObject({ invoice_payload: own });
  });

  test("may come twice, the same message", async () => {
    emulators.collectors.stars.notices.copies = 2;
    const { own, chargeId } = await paid();
    const told = paymentsOf(own);
    expect(told).toHaveLength(2);
    expect(new Set(told.map(({ message_id: id }) => id)).size).toBe(1);
    expect(told[1]?.successful_payment?.telegram_payment_charge_id).toBe(chargeId);
  });

  test("may come late, or again", async () => {
    const { notices, noticeViews, repeatNotice } = emulators.collectors.stars;
    notices.delayMs = 60_000;
    const { own } = await paid();
    expect(paymentsOf(own)).toEqual([]);
    emulators.clock.advance(60_000);
    expect(paymentsOf(own)).toHaveLength(1);
    repeatNotice(noticeViews().at(-1)?.id ?? 0);
    expect(paymentsOf(own)).toHaveLength(2);
  });

  test("may name a charge Telegram does not know", async () => {
    emulators.collectors.stars.notices.forgeSignature = true;
    const { chargeId } = await paid();
    const known = (await moves()).map(({ id }) => id);
    expect(known).not.toContain(chargeId);
  });
});

describe("the desk", () => {
  test("pays as whom it is told, who is given the Stars for it", async () => {
    const { payload: own } = await invoice();
    const { stars } = emulators.collectors;
    const personId = emulators.telegram.createPerson({ firstName: "Yao" }).id;
    emulators.panel.setStars({ personId, stars: 1 });
    expect(stars.settle(own, "failure").status).toBe("failed");
    expect(stars.settle(own, "success", { personId }).status).toBe("pending");
    expect(queryOf(own)?.from.id).toBe(personId);
    expect(await answer(queryOf(own)?.id)).toBe("no refusal");
    expect(stars.find(own)).toMatchObject({
      reference: own,
      status: "paid",
      amount: 625,
      currency: "XTR",
    });
    expect(stars.find(stars.find(own)?.transactionId ?? "")?.reference).toBe(own);
    expect(() => stars.settle(own, "cancel")).toThrow("already paid");
    // Tried again, and refused: what is paid stays paid.
    stars.settle(own, "success");
    expect(await answer(queryOf(own)?.id, { ok: false, error_message: "Déjà payé." })).toBe(
      "no refusal",
    );
    expect(stars.find(own)?.status).toBe("paid");
  });

  test("has Telegram say something else of what was paid", async () => {
    const { payload: own } = await invoice();
    const { stars } = emulators.collectors;
    stars.alter(own, { amount: 1, reference: "another" });
    stars.settle(own, "success");
    // The question before the payment is the true one: it was asked first.
    expect(queryOf(own)?.total_amount).toBe(625);
    await answer(queryOf(own)?.id);
    expect(paymentsOf("another")[0]?.successful_payment?.total_amount).toBe(1);
    const told = { amount: 1, source: { invoice_payload: "another" } };
    expect((await moves()).at(-1)).toMatchObject(told);
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
    const asked = emulators.call("buyer", "refundStarPayment", params);
    const answered = await asked.then(
      (answer) => answer.error_code,
      () => "broken",
    );
    expect(answered).toBe(kind === "500-after" ? 500 : "broken");
    const status = emulators.collectors.stars.find(own)?.status;
    expect(status).toBe(refunds === 1 ? "refunded" : "paid");
  });
});

test("emulators that start again go on with what they were asked", async () => {
  const dir = mkdtempSync(`${tmpdir()}/sesame-stars-`);
  const statePath = `${dir}/emulators.json`;
  const first = await testEmulators({ statePath });
  const { result } = await first.call("buyer", "createInvoiceLink", {
    ...INVOICE,
    payload: "kept",
  });
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
