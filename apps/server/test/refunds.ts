import { HOUR_MS } from "@sesame/kernel";
import { balanceOf } from "@sesame/ledger";
import { checkLedger } from "../src/maintenance/maintenance.ts";
import { createGroupFixtures } from "./groups.ts";
import {
  AGENT_ID,
  OPERATOR_ID,
  type SignedInSeller,
  startTestApp,
  type TestApp,
  type TestAppOptions,
} from "./harness.ts";
import type { SomeBody } from "./http.ts";

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
  const francs = async (key: string) => Number((await balanceOf(app.db, key))?.available ?? 0n);
  const order = (reader: Caller, id: string) => app.read("GET /api/orders/:id", reader, { id });
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
    order,
    refundOf: async (buyer: Caller, orderId: string) => (await order(buyer, orderId)).refund,
    sheet: async (agent: Caller, id: string) =>
      (await app.read("GET /api/desk/orders/:id", agent, { id })).order,
    /** Advances the clock until undecided money is in suspense. */
    async aDayLater() {
      for (let hours = 0; hours < 30; hours += 3) await app.advance(3 * HOUR_MS);
    },
    francs,
    sellerHas: (seller: SignedInSeller) => francs(`seller:${seller.id}:free`),
    owed: async ({ id }: SignedInSeller) =>
      Number(
        (await app.values<bigint>`SELECT owed FROM seller_advances WHERE seller_id = ${id}`)[0] ??
          0,
      ),
    broken: () => checkLedger(app.db),
  };
}
