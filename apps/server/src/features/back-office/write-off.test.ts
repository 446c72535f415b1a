import { DAY_MS, MINUTE_MS } from "@sesame/kernel";
import { afterEach, describe, expect, test } from "vitest";
import { askWithdrawal, sellerBalance } from "../../../test/funds.ts";
import { OPERATOR_ID, type SignedInBuyer, type SignedInSeller } from "../../../test/harness.ts";
import { startRefunds } from "../../../test/refunds.ts";

const OTHER_ID = 5_000_000_003;

const { app, fixture, refunds, agent } = await startRefunds({
  env: { OPERATOR_TELEGRAM_IDS: `${OPERATOR_ID},${OTHER_ID}` },
});
afterEach(async () => expect(await refunds.broken()).toEqual([]));

const koffi = () => app.signInBuyer({ id: OPERATOR_ID, first_name: "Koffi" });
const mariam = () => app.signInBuyer({ id: OTHER_ID, first_name: "Mariam" });

/** A seller who has withdrawn what a refund takes: 4 000 F were advanced. */
const debtor = async () => (await debtorAndShop()).seller;

async function debtorAndShop() {
  const shop = await fixture.openShop();
  const { orderId } = await fixture.buyerWaiting(shop);
  await askWithdrawal(app, shop.seller, { montant: 4_000 });
  await refund(orderId);
  expect(await refunds.owed(shop.seller)).toBe(4_000);
  await app.drain();
  return shop;
}

async function refund(orderId: string): Promise<void> {
  expect((await refunds.byOperator(await koffi(), orderId)).status).toBe(200);
}

const REASON = "Compte vidé, sans réponse";
const writeOff = (who: SignedInBuyer, { id }: { id: string }, reason = REASON) =>
  app.send("POST /api/desk/sellers/:id/write-off", who, { id, reason });

describe("a debt that a seller will never repay", () => {
  test("is written off by two operators, each with a reason", async () => {
    const seller = await debtor();
    const [lost, said] = [await refunds.francs("platform:losses"), () => lastSaid(seller)];
    expect((await writeOff(await koffi(), seller, "")).body.code).toBe("desk.reason-missing");
    const asked = await writeOff(await koffi(), seller);
    expect(asked.body.seller).toMatchObject({
      owed: 4_000,
      write_off: { amount: 4_000, by: "Koffi" },
      may: { "write-off": { allowed: false } },
    });
    await app.drain();
    expect(said()).toContain("sont avancés");
    expect((await writeOff(await koffi(), seller)).body.code).toBe("desk.write-off-waits");
    expect((await writeOff(agent, seller)).status).toBe(403);
    const done = await writeOff(await mariam(), seller);
    expect(done.body.seller).toMatchObject({ owed: 0, write_off: null });
    expect(await refunds.francs("platform:losses")).toBe(lost - 4_000);
    expect(await refunds.owed(seller)).toBe(0);
    expect((await writeOff(await mariam(), seller)).body.code).toBe("desk.nothing-owed");
    expect(await app.auditEntries(`seller:${seller.id}`)).toEqual([
      "seller.ask-write-off",
      "seller.write-off",
    ]);
    await app.drain();
    expect(said()).toContain("renonce");
  });

  test("is a row of the seller's history: its rows add up to the balance less the debt", async () => {
    const seller = await debtor();
    const read = async () => {
      const { transactions } = await app.read("GET /api/transactions", seller, { type: "all" });
      const { posted } = await sellerBalance(app, seller, "free");
      const sum = transactions.reduce((total, row) => total + row.balance_change, 0);
      return { newest: transactions[0], sum, expected: posted - (await refunds.owed(seller)) };
    };
    const owing = await read();
    expect(owing.sum).toBe(owing.expected);
    await writeOff(await koffi(), seller);
    expect((await read()).newest).toEqual(owing.newest);
    app.clock.advance(MINUTE_MS);
    await writeOff(await mariam(), seller);
    const free = await read();
    expect(free.newest).toMatchObject({ type: "write-off", amount: 4_000, status: "success" });
    expect(free.sum).toBe(free.expected);
    expect(free.sum).toBe(owing.sum + 4_000);
  });

  test("is written off by one operator a day after the request, and marked so", async () => {
    const seller = await debtor();
    await writeOff(await koffi(), seller);
    app.clock.advance(DAY_MS - 1);
    expect((await writeOff(await koffi(), seller)).body.code).toBe("desk.write-off-waits");
    app.clock.advance(1);
    expect((await writeOff(await koffi(), seller)).body.seller.owed).toBe(0);
    const subject = `seller:${seller.id}`;
    const log = await app.read("GET /api/desk/audit", await koffi(), { subject });
    expect(JSON.stringify(log)).toContain('"alone":true');
  });

  test("is never more than was requested, and an unconfirmed request expires after a week", async () => {
    const seller = await debtor();
    await writeOff(await koffi(), seller);
    await fixture.advance(7 * DAY_MS);
    const again = await writeOff(await mariam(), seller);
    expect(again.body.seller).toMatchObject({ owed: 4_000, write_off: { by: "Mariam" } });
    // Two confirmations at once: one writes it off, the other finds nothing.
    const operators = [await koffi(), await koffi()];
    const both = await Promise.all(operators.map((who) => writeOff(who, seller)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await refunds.owed(seller)).toBe(0);
  });

  test("has a request that ends with it", async () => {
    const shop = await debtorAndShop();
    const { seller } = shop;
    await writeOff(await koffi(), seller);
    // The next sale repays the debt, and is itself refunded.
    const { orderId } = await fixture.buyerWaiting(shop);
    expect([await refunds.owed(seller), await refunds.sellerHas(seller)]).toEqual([0, 100]);
    await refund(orderId);
    await fixture.advance(2 * DAY_MS);
    expect((await writeOff(await koffi(), seller)).body.seller).toMatchObject({
      owed: 4_000,
      write_off: { amount: 4_000 },
    });
  });

  test("prevents the approval of the seller's request", async () => {
    const seller = await debtor();
    const id = await app.value<bigint>`SELECT id FROM withdrawals WHERE seller_id = ${seller.id}`;
    const path = `/api/desk/withdrawals/${id}`;
    expect((await refunds.post(agent, `${path}/assign`)).status).toBe(200);
    const approved = await refunds.post(agent, `${path}/approve`, { rail: "manual" });
    expect(approved).toMatchObject({ status: 422, body: { code: "desk.seller-owes" } });
    const rejected = { reason_code: "other", reason: "Vous devez cette somme" };
    expect((await refunds.post(agent, `${path}/reject`, rejected)).status).toBe(200);
    await app.drain();
    expect([await refunds.owed(seller), await refunds.sellerHas(seller)]).toEqual([0, 0]);
  });

  test("cannot be written off by its debtor", async () => {
    const owner = await app.signInSeller({ id: OTHER_ID, first_name: "Mariam" });
    expect((await writeOff(await mariam(), owner)).body.code).toBe("desk.own-account");
  });
});

const lastSaid = (seller: SignedInSeller) => app.lastTo(seller.person.id, "seller").text;
