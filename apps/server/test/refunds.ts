import { HOUR_MS } from "@sesame/kernel";
import { balanceOf, check } from "@sesame/ledger";
import { brokenAccesses, brokenSales } from "../src/maintenance/books.view.ts";
import { brokenRefunds } from "../src/maintenance/refunds-books.view.ts";
import { maybe } from "../src/postgres/database.ts";
import { createGroupFixtures } from "./groups.ts";
import {
  AGENT_ID,
  OPERATOR_ID,
  type SignedInBuyer,
  type SignedInSeller,
  startTestApp,
  type TestApp,
  type TestAppOptions,
} from "./harness.ts";
import type { SomeBody } from "./http.ts";
import { auditEntriesAbout } from "./tables.ts";

type Caller = { readonly token: string };
type Refused = { readonly code?: string; readonly message?: string };

/** The application, an operator and an agent signed in: for a file about refunds. */
export async function startRefunds(options?: TestAppOptions) {
  const app = await startTestApp(options);
  return {
    app,
    fixture: createGroupFixtures(app),
    refunds: createRefundFixtures(app),
    operator: await app.signInBuyer({ id: OPERATOR_ID, first_name: "Koffi" }),
    agent: await app.signInBuyer({ id: AGENT_ID, first_name: "Ama" }),
  };
}

/** What buyers, sellers, agents and operators do about refunds, and what can be seen. */
export function createRefundFixtures(app: TestApp) {
  const post = <T = SomeBody>(who: Caller, path: string, body: unknown = {}) =>
    app.call<T & Refused>("POST", path, { token: who.token, body });
  const place = (who: Caller, body: object) => app.done("POST /api/orders", who, body);
  const payByKkiapay = async (id: string, amount: number): Promise<void> => {
    const opening = app.emulators.kkiapay.open({ amount, data: id, partnerId: id });
    app.emulators.collectors.kkiapay.settle(opening.id, "success");
    await app.drain();
  };
  return {
    post,
    /** Orders a product by its reference, or a plan. */
    place,
    /** Pays an order of KkiaPay's in its widget, once more each time. */
    payByKkiapay,
    /** With an idempotency key the same call again gives the same refund. */
    bySeller: (
      seller: Caller,
      id: string,
      ...[motif = "Erreur", key]: readonly [motif?: unknown, key?: string]
    ) => app.send("POST /api/orders/:id/refund", seller, { id, motif }, key),
    byOperator: (operator: Caller, id: string, reason: unknown = "Litige") =>
      app.send("POST /api/desk/orders/:id/refund", operator, { id, reason }),
    /** `path`: the refund's id and the action on it. */
    act: (who: Caller, path: string, body: object = {}) =>
      post(who, `/api/desk/refunds/${path}`, body),
    giveNumber: (buyer: Caller, id: string, numero = "0701020304") =>
      app.send("POST /api/orders/:id/refund-number", buyer, {
        id,
        methode: "orange-money-ci",
        numero,
      }),
    order: (reader: Caller, id: string) => app.read("GET /api/orders/:id", reader, { id }),
    sheet: async (agent: Caller, id: string) =>
      (await app.read("GET /api/desk/orders/:id", agent, { id })).order,
    /** KkiaPay is off until the seller switches it on. */
    switchKkiapayOn: (seller: SignedInSeller) =>
      app.send("PUT /api/user-aggregators/:userId/:key", seller, {
        userId: seller.id,
        key: "kkiapay",
        isActive: true,
      }),
    /** Orders with KkiaPay and pays in its widget. */
    async buyByKkiapay(reference: string, buyer: SignedInBuyer): Promise<string> {
      const { id, amount } = await place(buyer, { reference, provider: "kkiapay" });
      await payByKkiapay(id, amount);
      return id;
    },
    /** Advances the clock until undecided money is in suspense. */
    async aDayLater() {
      for (let hours = 0; hours < 30; hours += 3) await app.advance(3 * HOUR_MS);
    },
    francs: async (key: string) => Number((await balanceOf(app.db, key))?.available ?? 0n),
    sellerHas: async (seller: SignedInSeller) =>
      Number((await balanceOf(app.db, `seller:${seller.id}:free`))?.available ?? 0n),
    async owed(seller: SignedInSeller): Promise<number> {
      const advance = await maybe<{ owed: bigint }>(app.db)`
        SELECT owed FROM seller_advances WHERE seller_id = ${BigInt(seller.id)}`;
      return Number(advance?.owed ?? 0n);
    },
    auditEntries: (subject: string) => auditEntriesAbout(app.db, subject),
    /** Every broken invariant of the ledger, the sales, the memberships and the refunds. */
    async broken(): Promise<string[]> {
      const found = [
        ...(await check(app.db)),
        ...(await brokenSales(app.db, 20)),
        ...(await brokenAccesses(app.db, 20)),
        ...(await brokenRefunds(app.db, 20)),
      ];
      return found.map(
        (each) => `${each.invariant}: ${each.subject} ${each.expected}/${each.found}`,
      );
    },
  };
}
