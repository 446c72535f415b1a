import { addMs, assert, DAY_MS, fcfa } from "@sesame/kernel";
import { type BrokenInvariant, check } from "@sesame/ledger";
import { sql } from "kysely";
import { askByOperator, askBySeller } from "../src/features/refunds/ask.ts";
import { recover, finishRefund, lockRefund } from "../src/features/refunds/refunds.ts";
import { requestWithdrawal } from "../src/features/withdrawals/request.ts";
import { cancel } from "../src/features/withdrawals/withdrawals.ts";
import type { Principal } from "../src/http/server.ts";
import type { Db } from "../src/postgres/database.ts";
import { brokenRefunds } from "../src/upkeep/refunds-books.view.ts";
import { createTestApp } from "./core.ts";
import { sellMany } from "./market.ts";

const START = new Date("2026-11-16T09:00:00.000Z");
export const SELLERS = 2;
export const ORDERS = 24;

const personOf = (personId: bigint, isOperator: boolean): Principal => ({
  personId,
  telegramId: personId,
  audience: "seller",
  isAgent: isOperator,
  isOperator,
});

/** Who buys, sells, gives back and takes out, in a town of its own. */
export async function openTown(db: Db) {
  let now = START;
  let weeks = 0;
  const market = await sellMany(db, { sellers: SELLERS, buyers: 3, orders: ORDERS, now });
  const ids = await sql<{ id: bigint }>`
    SELECT id FROM (SELECT id FROM sellers ORDER BY id DESC LIMIT ${SELLERS}) AS s ORDER BY id
  `.execute(db);
  const sellers = ids.rows.map(({ id }) => id);
  const staff = await sql<{ id: bigint }>`
    INSERT INTO people (telegram_id, first_name, created_at, seen_at)
    SELECT max(telegram_id) + 1, 'Opérateur', ${now}, ${now} FROM people RETURNING id
  `.execute(db);
  const owners = await sql<{ id: bigint; seller_id: bigint }>`
    SELECT id, seller_id FROM orders WHERE id = ANY(${[...market.orders]}::bigint[]) ORDER BY id
  `.execute(db);
  const clock = { now: () => now, onJump: () => () => {}, isTrusted: () => true, injected: true };
  const app = createTestApp({ db, clock, providers: [] });
  const terms = await app.settings.current();
  const [least, most] = [fcfa(1), fcfa(1_000_000)];
  const settings = {
    ...app.settings,
    current: () =>
      Promise.resolve({
        ...terms,
        withdrawals: { min: least, max_free: most, max_premium: most },
        first_payout_max: most,
        methods: {
          ...terms.methods,
          "orange-money-ci": { open: true, min: least, step: least },
        },
      }),
  };
  const operator = personOf(staff.rows[0]?.id ?? 0n, true);
  const sellerAt = (at: number): bigint => sellers[at % SELLERS] ?? 0n;
  const orderAt = (at: number) => {
    const order = owners.rows[at % ORDERS];
    assert(order, "the town has orders");
    return { id: order.id, seller: sellers.indexOf(order.seller_id) };
  };
  const town = {
    db,
    sellers,
    orderAt,
    pass: (hours: number) => {
      now = addMs(now, hours * (DAY_MS / 24));
    },
    async sell(at: number) {
      // No two sales at one instant: the audit of accesses reads them by their time.
      now = addMs(now, 1);
      const payment = market.payments[at % ORDERS] ?? 0n;
      await sql`SELECT settle_payments('product', ARRAY[${payment}]::bigint[], ARRAY[${now}]::timestamptz[],
        ${now})`.execute(db);
    },
    async bySeller(at: number): Promise<boolean> {
      const { id, seller } = orderAt(at);
      const caller = personOf(sellerAt(seller), false);
      return (await askBySeller(app, { orderId: id, caller, reason: "Erreur", call: null })).ok;
    },
    async byOperator(at: number): Promise<boolean> {
      const asked = { orderId: orderAt(at).id, caller: operator, reason: "Litige", call: null };
      return (await askByOperator(app, asked)).ok;
    },
    recover: (at: number) => db.transaction().execute((tx) => recover(tx, sellerAt(at), now)),
    async ask(at: number, amount: number): Promise<bigint | null> {
      // Limits and the week are another's: all may be asked for, and every week is over.
      weeks += 1;
      const later = { ...clock, now: () => addMs(now, weeks * 8 * DAY_MS) };
      const form = {
        amount,
        method: "orange-money-ci",
        phone: "0701020304",
        whatsapp: "0701020304",
      };
      const request = { sellerId: sellerAt(at), form, key: null, automaticOn: null };
      const asked = await requestWithdrawal({ ...app, clock: later, settings }, request);
      return asked.ok ? BigInt(asked.value.withdrawal.id) : null;
    },
    async cancel(id: bigint, at: number): Promise<void> {
      await cancel(app, { id, sellerId: sellerAt(at), call: null });
    },
    async changePlan(at: number, plan: "free" | "premium") {
      const seller = sellerAt(at);
      const until = plan === "premium" ? addMs(now, 30 * DAY_MS) : null;
      await db.transaction().execute(async (tx) => {
        await sql`SELECT FROM sellers WHERE id = ${seller} FOR NO KEY UPDATE`.execute(tx);
        await sql`SELECT plan_change(${seller}, ${plan}, ${until}, ${now})`.execute(tx);
      });
    },
    /** An agent sends what an order's buyer is owed. */
    async send(at: number): Promise<boolean> {
      const found = await sql<{ id: bigint }>`
        SELECT id FROM refunds WHERE order_id = ${orderAt(at).id} AND status <> 'done'
      `.execute(db);
      const id = found.rows[0]?.id;
      if (id === undefined) return false;
      return db.transaction().execute(async (tx) => {
        const before = await lockRefund(tx, id);
        if (before?.status === "done") return false;
        await sql`
          UPDATE refunds SET status = 'to-pay', method = 'wave-ci', phone = '+2250701020304',
            number_refused = NULL
          WHERE id = ${id}
        `.execute(tx);
        const refund = await lockRefund(tx, id);
        assert(refund, "a locked refund is there");
        const done = { reference: `PROP.${id}`, by: operator.personId };
        await finishRefund(app, tx, { refund, done });
        return true;
      });
    },
    /** What each seller can spend and has asked for, on both his accounts, and what he owes. */
    async read() {
      const { rows } = await sql<{ available: bigint; held: bigint; owed: bigint }>`
        SELECT (f.posted - f.held + p.posted - p.held)::bigint AS available,
          (f.held + p.held)::bigint AS held, coalesce(d.owed, 0)::bigint AS owed
        FROM sellers s
        JOIN ledger_accounts f ON f.id = s.free_account_id
        JOIN ledger_accounts p ON p.id = s.premium_account_id
        LEFT JOIN seller_advances d ON d.seller_id = s.id
        WHERE s.id = ANY(${sellers}::bigint[]) ORDER BY s.id
      `.execute(db);
      return rows.map((row) => [Number(row.available), Number(row.held), Number(row.owed)]);
    },
    async broken(accesses: readonly BrokenInvariant[] = []): Promise<string[]> {
      const found = [...(await check(db)), ...(await brokenRefunds(db, 20)), ...accesses];
      return found.map(
        (each) => `${each.invariant}: ${each.subject} ${each.expected}/${each.found}`,
      );
    },
  };
  return town;
}

export type Town = Awaited<ReturnType<typeof openTown>>;
