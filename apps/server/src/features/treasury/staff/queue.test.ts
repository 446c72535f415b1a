import { DAY_MS, HOUR_MS } from "@sesame/kernel";
import { beforeEach, describe, expect, test } from "vitest";
import { type SignedInBuyer, startTestApp } from "../../../../test/harness.ts";
import { pagesOf } from "../../../../test/http.ts";
import { openShelf, orderProduct } from "../../../../test/sales.ts";
import { createStaffFixtures, STAFF_ENV } from "../../../../test/withdrawals.ts";
import { eventually } from "../../../../../../tools/testing/eventually.ts";
import { listenTo } from "../../../../test/wire/sockets.ts";

let awa: SignedInBuyer;
let binta: SignedInBuyer;

const app = await startTestApp({ env: STAFF_ENV });
const staff = createStaffFixtures(app);

/** Each test has an empty queue: earlier requests are over. */
beforeEach(async () => {
  awa = await staff.agent(0);
  binta = await staff.agent(1);
  await app.sql`UPDATE withdrawals SET assigned_to = NULL, assigned_until = NULL`;
  const { withdrawals } = await queue("limit=100");
  for (const { id } of withdrawals) {
    await staff.act(awa, id, "assign");
    await staff.act(awa, id, "reject", { reason_code: "seller-asked" });
  }
});

const queue = (query = "", who = awa) =>
  app.read("GET /api/desk/withdrawals", who, Object.fromEntries(new URLSearchParams(query)));

const ids = (page: Awaited<ReturnType<typeof queue>>) => page.withdrawals.map(({ id }) => id);

describe("the queue", () => {
  test("serves premium first, then by deadline, page after page", async () => {
    const made: string[] = [];
    for (const plan of ["free", "premium", "free", "premium", "free"] as const) {
      made.push((await staff.request({ plan, amount: 1_000 })).id);
      app.clock.advance(HOUR_MS);
    }
    // The premium ones first.
    const order = [1, 3, 0, 2, 4].map((nth) => made[nth]);
    expect(ids(await queue())).toEqual(order);
    const pages = await pagesOf((cursor) => queue(`limit=2${cursor && `&cursor=${cursor}`}`));
    expect(pages.flatMap(ids)).toEqual(order);
    expect(ids(await queue("plan=gratuit"))).toEqual(order.slice(2));
  });

  test("refuses a cursor of another list, and an id of a wrong form", async () => {
    for (const path of [
      "cursor=x",
      "cursor=12",
      "cursor=2.1.1",
      "status=done&cursor=0.1.1",
      "status=nothing",
      "limit=0",
      "limit=1e9",
    ]) {
      expect((await app.call("GET", `/api/desk/withdrawals?${path}`, awa)).status, path).toBe(400);
    }
    expect((await app.call("GET", "/api/desk/withdrawals/x", awa)).status).toBe(400);
  });

  test("shows the age, the deadline in working hours, and which requests are late", async () => {
    // Monday 16 November, 9:00: the deadline is Tuesday 9:00.
    const start = new Date("2026-11-16T09:00:00Z");
    app.clock.advance(
      Math.max(0, 7 * DAY_MS - ((app.clock.now().getTime() - start.getTime()) % (7 * DAY_MS))),
    );
    awa = await staff.agent(0);
    const { id } = await staff.request();
    const one = async () => (await queue()).withdrawals.find((each) => each.id === id);
    const fresh = { late: false, age_minutes: 0, working_minutes_left: 8 * 60 };
    expect(await one()).toMatchObject(fresh);
    app.clock.advance(27 * HOUR_MS);
    awa = await staff.agent(0);
    const late = { late: true, age_minutes: 27 * 60, working_minutes_left: -3 * 60 };
    expect(await one()).toMatchObject(late);
    const other = await staff.request();
    expect(ids(await queue("late=1"))).toEqual([id]);
    expect(ids(await queue())).toContain(other.id);
    const { counts } = await app.read("GET /api/desk", awa);
    expect(counts).toMatchObject({ pending: 2, premium: 2, late: 1, mine: 0 });
  });

  test("is filtered by method, country, rail, assigned agent, and text", async () => {
    const moov = await staff.request({ method: "moov-benin", phone: "0195112233", amount: 4_321 });
    const orange = await staff.request();
    await staff.act(binta, orange.id, "assign");
    await app.sql`UPDATE sellers SET display_name = 'Chez O''Konan 100%_' WHERE id = ${BigInt(moov.seller.id)}`;
    const only = async (query: string, who = awa) => ids(await queue(query, who));
    expect(await only("method=moov-benin")).toEqual([moov.id]);
    expect(await only("country=CI")).toEqual([orange.id]);
    expect(await only("mine=1")).toEqual([]);
    expect(await only("mine=1", binta)).toEqual([orange.id]);
    const reference = moov.reference_transaction.toLowerCase();
    for (const q of [reference, "4 321", "95 11 22 33", "o'konan", "nan 100%_"])
      expect(await only(`q=${encodeURIComponent(q)}`), q).toEqual([moov.id]);
    expect(await only("q=%25")).toEqual([moov.id]);
    expect(await only("q=nobody")).toEqual([]);
    expect((await queue("q=%20%20")).withdrawals).toHaveLength(2);
    expect((await app.call("GET", "/api/desk/withdrawals?q=a%00b", awa)).status).toBe(400);
  });

  test("follows a request from list to list", async () => {
    const { id } = await staff.request();
    const where = async () => {
      const views = ["pending", "to-pay", "uncertain", "done", "approved", "rejected", "all"];
      const found = await Promise.all(
        views.map(async (view) => ids(await queue(`status=${view}&limit=100`)).includes(id)),
      );
      return views.filter((_, index) => found[index]);
    };
    expect(await where()).toEqual(["pending", "all"]);
    await staff.act(awa, id, "assign");
    await staff.act(awa, id, "approve", { rail: "manual" });
    expect(await where()).toEqual(["to-pay", "approved", "all"]);
    expect(ids(await queue("status=to-pay&rail=manual"))).toEqual([id]);
    expect(ids(await queue("status=to-pay&rail=paydunya"))).toEqual([]);
    const { counts } = await app.read("GET /api/desk", awa);
    expect(counts).toMatchObject({ pending: 0, to_pay: 1, mine: 1 });
    await staff.act(awa, id, "paid", { reference: "LIST-1" });
    expect(await where()).toEqual(["done", "approved", "all"]);
    expect(ids(await queue("status=done"))[0]).toBe(id);
  });
});

describe("the signs of risk", () => {
  const signs = async (id: string) => (await staff.detail(awa, id)).risks.map(({ code }) => code);

  test("show a first payout, a new number and an unusual amount", async () => {
    const first = await staff.request({ amount: 1_000, phone: "0701010101" });
    expect(await signs(first.id)).toEqual(["first-payout"]);
    await staff.payByHand(awa, first.id, "RISK-1");
    const { seller } = first;
    const second = await staff.request({ amount: 3_000, phone: "0701010101", seller });
    expect(await signs(second.id)).toEqual([]);
    await staff.payByHand(awa, second.id, "RISK-2");
    const third = await staff.request({ amount: 3_001, phone: "0702020202", seller });
    expect(await signs(third.id)).toEqual(["new-number", "unusual-amount"]);
    const { risks, history } = await staff.detail(awa, third.id);
    expect(risks[1]?.explanation).toMatch(/^3 fois la médiane de ses retraits \(1.000 FCFA\)\.$/);
    expect(history).toMatchObject({
      payouts: { paid: 2, paid_amount: 4_000, median_amount: 1_000, success_percent: 100 },
      last_withdrawals: [
        { id: second.id, stage: "paid", same_number: false },
        { id: first.id, stage: "paid" },
      ],
    });
  });

  test("show a number of another seller's", async () => {
    const one = await staff.request({ phone: "0703030303" });
    const two = await staff.request({ phone: "+225 07 03 03 03 03" });
    expect(await signs(one.id)).toContain("shared-number");
    expect(await signs(two.id)).toContain("shared-number");
  });

  test("show a frozen or suspended seller, a changed number, refunds, mismatches and complaints", async () => {
    const { id, seller } = await staff.request();
    const { reference } = await openShelf(app, seller);
    const order = await orderProduct(app, await app.signInBuyer(), reference);
    const now = app.clock.now();
    await app.sql`UPDATE sellers SET suspended_at = ${now}, suspended_reason = 'Signalé'
      WHERE id = ${BigInt(seller.id)}`;
    await app.sql`
      INSERT INTO payout_profiles (seller_id, number_changed_at, frozen_at, frozen_by, frozen_reason,
        updated_at)
      VALUES (${BigInt(seller.id)}, ${now}, ${now}, 'seller', 'Ce n''est pas moi', ${now})`;
    await app.sql`UPDATE orders SET status = 'refunded' WHERE id = ${BigInt(order.id)}`;
    await app.sql`
      INSERT INTO alerts (kind, subject, details, created_at)
      VALUES ('payment.mismatch', 'payment:1', ${JSON.stringify({ order_id: order.id })}, ${now})`;
    await app.sql`
      INSERT INTO complaints (order_id, buyer_id, seller_id, kind, opened_at, seller_due_at)
      SELECT id, buyer_id, seller_id, 'other', ${now}, ${now} FROM orders WHERE id = ${BigInt(order.id)}
    `;
    expect(await signs(id)).toEqual([
      "first-payout",
      "number-changed",
      "frozen",
      "suspended",
      "refunds",
      "mismatch",
      "complaints",
    ]);
    expect((await staff.detail(awa, id)).history).toMatchObject({
      frozen: { reason: "Ce n'est pas moi" },
      suspended: { reason: "Signalé" },
      sales: { count: 0, refunds: 1 },
    });
  });
});

describe("a request in detail", () => {
  test("opens WhatsApp with a text about it", async () => {
    const { id, reference_transaction: reference } = await staff.request({ amount: 6_500 });
    const { whatsapp_url } = await staff.detail(awa, id);
    const url = new URL(whatsapp_url ?? "");
    expect(url.origin + url.pathname).toBe("https://wa.me/2250701020304");
    const text = url.searchParams.get("text") ?? "";
    expect(text).toContain(reference);
    expect(text).toMatch(/6.500 FCFA par Orange Money CI/);
  });

  test("shows who did what with it", async () => {
    const { id } = await staff.request();
    await staff.act(awa, id, "assign");
    await staff.act(awa, id, "reject", { reason_code: "other", reason: "Doublon" });
    const { trace } = await staff.detail(binta, id);
    expect(trace.map(({ label, by, reason }) => [label, by, reason])).toEqual([
      ["Rejetée", "Agent 0", "Doublon"],
      ["Prise en charge", "Agent 0", null],
      ["Demande reçue", null, null],
    ]);
  });
});

test("the back office's room receives every change, and has only the staff", async () => {
  const { id, seller } = await staff.request();
  const agent = await listenTo(app.url, { token: binta.token });
  const own = await listenTo(app.url, { token: seller.token });
  await staff.act(awa, id, "assign");
  await eventually(() =>
    expect(agent.received).toEqual([{ name: "desk:changed", body: { what: "withdrawal", id } }]),
  );
  // A later event of the same connection has come, so none is still on its way to the seller.
  await staff.act(awa, id, "release");
  await eventually(() => expect(agent.received).toHaveLength(2));
  expect(own.received.filter(({ name }) => name !== "withdrawal:status")).toEqual([]);
  agent.close();
  own.close();
});

test("the buyers' sign-in shows who is staff, and makes no seller of them", async () => {
  expect((await staff.agent(5)).user).toMatchObject({ agent: true, operator: false });
  expect((await staff.operator()).user).toMatchObject({ agent: false, operator: true });
  expect((await app.signInBuyer()).user).toMatchObject({ agent: false, operator: false });
  const office = await app.read("GET /api/desk", await staff.operator());
  expect(office).toMatchObject({
    me: { name: "Opérateur 0", agent: false, operator: true },
    hours: { label: "lun.–ven. 9h–17h" },
    rails: ["manual", "paydunya", "moneroo", "fedapay"].map((id) => ({ id, open: true })),
    second_agent_from: 100_000,
    assignment_minutes: 15,
  });
  expect(await app.sql`SELECT FROM sellers WHERE id = ${BigInt(office.me.id)}`).toEqual([]);
});
