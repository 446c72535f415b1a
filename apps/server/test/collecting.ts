import type { CreateOrderAnswer } from "@sesame/contract/checkout";
import { KNOWN_PROVIDERS, type KnownProvider } from "@sesame/contract/checkout";
import { assert } from "@sesame/kernel";
import { sql } from "kysely";
import type { PaymentView } from "../../emulators/src/index.ts";
import type { SignedInBuyer, TestApp } from "./harness.ts";

/** An order tried at a provider, as a test holds it. */
export type Tried = {
  readonly provider: KnownProvider;
  readonly buyer: SignedInBuyer;
  readonly orderId: string;
  /** Ours, as the provider knows the payment; null while none could be opened. */
  readonly reference: string | null;
  readonly paymentUrl: string | null;
};

/** The seller sells by every provider: KkiaPay is off until he switches it on (decision 3). */
export async function sellByAll(app: TestApp, sellerId: string): Promise<void> {
  await sql`
    INSERT INTO seller_methods (seller_id, provider, active, changed_at)
    VALUES (${sellerId}, 'kkiapay', true, ${app.clock.now()})
  `.execute(app.db);
}

type OrderCall = {
  readonly buyer: SignedInBuyer;
  readonly provider: KnownProvider;
  /** The product's; without it the order's next payment is opened. */
  readonly product?: string;
  /** Francs, of a donation. */
  readonly amount?: number;
  readonly orderId?: string;
};

export function callOrder(app: TestApp, call: OrderCall) {
  const { buyer, provider, product, amount, orderId } = call;
  const path = orderId === undefined ? "/api/orders" : `/api/orders/${orderId}/payment`;
  return app.call<CreateOrderAnswer & { code?: string; order_id?: string }>("POST", path, {
    token: buyer.token,
    body: orderId === undefined ? { reference: product, provider, amount } : { provider },
  });
}

/** Opens a payment, and what a browser would open for it. */
export async function tryAt(app: TestApp, call: OrderCall): Promise<Tried> {
  const answer = await callOrder(app, call);
  const { buyer, provider } = call;
  const orderId = answer.body.id ?? answer.body.order_id;
  assert(orderId, `ordering answered ${JSON.stringify(answer.body)}`);
  if (answer.status !== 201) return { provider, buyer, orderId, reference: null, paymentUrl: null };
  const { rows } = await sql<{ reference: string; amount: bigint }>`
    SELECT reference, amount FROM payments WHERE order_id = ${orderId} AND provider = ${provider}
    ORDER BY id DESC LIMIT 1
  `.execute(app.db);
  const payment = rows[0];
  assert(payment, "the payment was kept");
  const { reference, amount } = payment;
  if (provider === "kkiapay") {
    app.emulators.kkiapay.open({ amount: Number(amount), data: reference, partnerId: reference });
  }
  return { provider, buyer, orderId, reference, paymentUrl: answer.body.payment_url };
}

export type Settling = "success" | "failure" | "cancel" | "silent success";

/** As the customer on the provider's page; silent: nobody is told. */
export function settleAt(app: TestApp, tried: Tried, how: Settling): PaymentView {
  assert(tried.reference !== null, "a payment is open");
  const silent = how === "silent success";
  const outcome = silent ? "success" : how;
  const personId = tried.buyer.person.id;
  return app.emulators.collectors[tried.provider].settle(tried.reference, outcome, {
    silent,
    personId,
  });
}

/** What the widget told the browser, told to us: a rumour. */
export async function tellHeard(app: TestApp, tried: Tried, transactionId: string) {
  const secret = tried.paymentUrl?.split("/").at(-1);
  return app.call("POST", `/api/payments/${secret}/heard`, {
    body: { transaction_id: transactionId },
  });
}

/** Every provider as it was. */
export function mendAll(app: TestApp): void {
  for (const provider of KNOWN_PROVIDERS) {
    const desk = app.emulators.collectors[provider];
    desk.clearFaults();
    Object.assign(desk.notices, { copies: 1, drop: false, forgeSignature: false });
  }
}

/** What became of an order: in the order, the ledger, the access and on the desk. */
export type Outcome = {
  readonly order: string;
  readonly sales: number;
  readonly suspended: bigint;
  readonly accesses: number;
  readonly alerts: readonly string[];
};

export async function outcomeOf(app: TestApp, orderId: string): Promise<Outcome> {
  const { rows } = await sql<Outcome>`
    SELECT o.status AS "order",
      (SELECT count(*) FROM ledger_transfers t WHERE t.id = 'sale:' || o.id)::int AS sales,
      (SELECT coalesce(sum(p.suspended_amount), 0)::bigint FROM payments p
        WHERE p.order_id = o.id) AS suspended,
      (SELECT count(*) FROM accesses a WHERE a.order_id = o.id)::int AS accesses,
      coalesce((SELECT array_agg(DISTINCT d.kind) FROM desk_alerts d
        WHERE d.details->>'order_id' = o.id::text), '{}') AS alerts
    FROM orders o WHERE o.id = ${orderId}
  `.execute(app.db);
  const outcome = rows[0];
  assert(outcome, `no order ${orderId}`);
  return outcome;
}
