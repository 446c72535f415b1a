import { raiseAlert } from "../../alerts/alerts.ts";
import { hashOf } from "../../secrets/vault.ts";
import { setTimeout as pause } from "node:timers/promises";
import * as contract from "@sesame/contract/checkout";
import { addMs, type Fcfa, ok, Outage, type Result, refuse, secretToken } from "@sesame/kernel";
import type {
  CreatedPayment,
  CreateRefusal,
  PayingCustomer,
  PaymentProvider,
} from "@sesame/providers";
import { sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { maybe, one } from "../../postgres/database.ts";
import { publish } from "../../realtime/events.store.ts";
import { noteRefused, offersOf, providerFor } from "../payment-accounts/index.ts";
import { healthOf } from "./checks.ts";
import {
  type Caller,
  chooseOffer,
  checkChoice,
  checkPlanBuyer,
  checkSale,
  type Payer,
  payerOf,
} from "./check-sale.ts";
import { type Account, reserveOpening, releaseOpening } from "./opening.ts";
import * as orders from "./orders.ts";
import { describeOrder } from "./messages.fr.ts";

/** The fields of the answer. */
export type OpenedOrder = Omit<z.output<typeof contract.createOrder.answer>, "id" | "amount"> & {
  readonly id: bigint;
  readonly amount: Fcfa;
};

export function openedOrder({ id, status, price }: orders.OrderToPay, page: orders.PaymentPage) {
  const opened = { id, status, amount: price, currency: "XOF", payment_url: page.url } as const;
  return { ...opened, opens: orders.opensOf(page) };
}

export type PaymentRequest = {
  readonly order: orders.OrderToPay;
  readonly account: Account;
  readonly payer: Payer;
  /** The order's newest payment is given again, whatever its status. */
  readonly repeats: boolean;
};

const SECRET_BYTES = 24;
/** In real time: how long a request waits while another calls a provider for the same order. */
const PATIENCE_MS = 13_000;
const LOOK_EVERY_MS = 150;
/** A provider's rate is counted over a minute; part of it is free again well before. */
const BUSY_SECONDS = 15;

/**
 * Opens a payment of the order at the account, or gives the one that is open there. One provider
 * call at a time for an order, in all processes: an impatient retry waits for the call in progress
 * and gets its payment instead of a second one.
 */
export async function startPayment(app: App, paymentRequest: PaymentRequest) {
  const { order, account, repeats } = paymentRequest;
  const rate = (await app.settings.current()).provider_rates[account.provider];
  const reservation = await whileBusy(() => {
    const now = app.clock.now();
    return reserveOpening(app.db, { orderId: order.id, account, repeats, now, rate });
  });
  switch (reservation.kind) {
    case "page":
      return ok(reservation.page);
    case "open":
      return open(app, { ...paymentRequest, number: reservation.number });
    case "person-budget": {
      const retryAfterSeconds = contract.OPENING_REFILL_MS / 1_000;
      return refuse({ kind: "checkout.too-many-openings", orderId: order.id, retryAfterSeconds });
    }
    case "account-budget": {
      const retryAfterSeconds = BUSY_SECONDS;
      return refuse({ kind: "checkout.provider-busy", orderId: order.id, retryAfterSeconds });
    }
    default:
      return refuse({ kind: NOT_RESERVED[reservation.kind] });
  }
}

const NOT_RESERVED = {
  busy: "checkout.opening",
  paid: "checkout.already-paid",
  "under-review": "checkout.under-review",
  "too-many": "checkout.too-many-tries",
  "sold-out": "checkout.sold-out",
} as const;

/** Tries again until the other call has ended, or patience has. `watch` counts milliseconds. */
export async function whileBusy<C extends { readonly kind: string }>(
  look: () => Promise<C>,
  watch = { now: () => performance.now(), pause: (ms: number): Promise<unknown> => pause(ms) },
): Promise<C> {
  const patient = watch.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (seen.kind !== "busy" || watch.now() > patient) return seen;
    await watch.pause(LOOK_EVERY_MS);
  }
}

type NumberedPaymentRequest = PaymentRequest & { readonly number: number };

/** The first payment's reference is the order's id; the next ones add a number. */
const referenceOf = ({ order, number }: NumberedPaymentRequest): string =>
  number === 1 ? String(order.id) : `${order.id}-${number}`;

async function open(app: App, paymentRequest: NumberedPaymentRequest) {
  const { order, account } = paymentRequest;
  const returnSecret = secretToken(SECRET_BYTES, app.random);
  const health = healthOf(app);
  try {
    const provider = await providerFor(app, account.provider, account.keyId);
    if (!provider) {
      await giveUpOpening(app, order.id);
      return refuse({ kind: "checkout.method-closed", orderId: order.id });
    }
    const customer = await nameCustomer(app, paymentRequest);
    const create = () =>
      provider.createPayment({
        reference: referenceOf(paymentRequest),
        amount: order.price,
        description: describeOrder(order),
        title: order.kind === "product" ? order.title : describeOrder(order),
        returnUrl: `${app.config.publicUrl}/paiement/retour/${returnSecret}`,
        webhookUrl: webhookUrl(app, account),
        customer,
      });
    const created = await health.watch(account, !provider.isMadeInBrowser, create);
    if (!created.ok) {
      await giveUpOpening(app, order.id);
      return refuse(
        await explainRefusal(app, provider, { paymentRequest, refusal: created.refusal }),
      );
    }
    return await keep(app, paymentRequest, { created: created.value, customer, returnSecret });
  } catch (error) {
    await releaseOpening(app.db, order.id);
    if (!(error instanceof Outage)) throw error;
    app.log.warn({ party: error.party, message: error.message }, "a payment was not opened");
    return refuse({ kind: "checkout.provider-silent", orderId: order.id });
  } finally {
    await health.flush();
  }
}

/** The provider refused the payment. */
async function giveUpOpening({ db }: App, orderId: bigint): Promise<void> {
  await releaseOpening(db, orderId);
  await orders.failUnopened(db, orderId);
}

type Kept = {
  readonly created: CreatedPayment;
  readonly customer: PayingCustomer;
  readonly returnSecret: string;
};

/**
 * Stores a payment that the provider has created, with the time of its first check: also for an
 * order that was paid meanwhile, since both may be paid. The order takes the provider of its newest
 * payment, and a failed one is pending again.
 */
async function keep(
  app: App,
  paymentRequest: NumberedPaymentRequest,
  { created, customer, returnSecret }: Kept,
): Promise<Result<orders.PaymentPage, contract.CheckoutRefusal>> {
  const { order, account } = paymentRequest;
  const { widget, redirectUrl: hostedUrl } = created;
  const page = widget ? `${app.config.publicUrl}/paiement/page/${returnSecret}` : hostedUrl;
  if (page === null) {
    await giveUpOpening(app, order.id);
    return refuse({ kind: "checkout.no-payment-url", orderId: order.id });
  }
  const { phone = null, ...named } = customer;
  const stored: orders.StoredWidget | null = widget && { ...widget, customer: { ...named, phone } };
  const createdAt = app.clock.now();
  const before = await app.db.transaction().execute(async (tx) => {
    const found = await one<{ status: string; buyer_id: bigint; seller_id: bigint | null }>(tx)`
      SELECT status, buyer_id, seller_id FROM orders WHERE id = ${order.id} FOR NO KEY UPDATE
    `;
    await sql`
      WITH made AS (
        INSERT INTO payments (order_id, provider, key_id, provider_payment_id, reference,
          checkout_url, hosted_url, widget, quote, return_secret_hash, amount, created_at)
        VALUES (${order.id}, ${account.provider}, ${account.keyId},
          ${created.providerPaymentId}, ${referenceOf(paymentRequest)}, ${page},
          ${hostedUrl}, ${json(stored)}::jsonb, ${json(created.quote)}::jsonb,
          ${hashOf(returnSecret)}, ${order.price}, ${createdAt})
        RETURNING id
      ), asked AS (
        INSERT INTO payment_checks (payment_id, due_at, give_up_at)
        SELECT id, ${addMs(createdAt, contract.askAfterMs(0))}::timestamptz,
          ${addMs(createdAt, contract.ASKED_FOR_MS)}::timestamptz
        FROM made
      )
      UPDATE orders SET opening_until = NULL,
        provider = CASE WHEN status IN ('pending', 'failed') THEN ${account.provider}
          ELSE provider END
      WHERE id = ${order.id}
    `.execute(tx);
    if (found.status === "failed") {
      await orders.reopenOrder(tx, order.id);
      await publish(tx, orders.eventsOfStatus({ ...found, id: order.id }, "pending"));
    } else if (found.status === "pending" && found.seller_id !== null) {
      // With its first payment the order enters its seller's history; the buyer made it himself.
      const body = { id: String(order.id), status: "pending" };
      await publish(tx, [{ room: `person:${found.seller_id}`, name: "payment:status", body }]);
    }
    return found;
  });
  const isPaid = before.status === "paid" || before.status === "refunded";
  if (isPaid) return refuse({ kind: "checkout.already-paid" });
  return ok({ url: page, provider: account.provider, widget: widget !== null });
}

const json = (value: object | null): string | null => value && JSON.stringify(value);

function webhookUrl(app: App, { provider, keyId }: Account): string {
  const own = keyId === null ? "" : `/${keyId}`;
  return `${app.config.publicUrl}/webhooks/${provider}${own}`;
}

/** A missing last name is replaced by the first name, a missing email by one of ours (WIRE §2). */
async function nameCustomer(app: App, { order, payer }: PaymentRequest): Promise<PayingCustomer> {
  const person = await one<{ first_name: string; last_name: string | null }>(app.db)`
    SELECT first_name, last_name FROM people WHERE id = ${payer.personId}
  `;
  const firstName = payer.firstName?.trim() || person.first_name;
  return {
    email: payer.email ?? `${order.id}@${new URL(app.config.publicUrl).hostname}`,
    firstName,
    lastName: payer.lastName?.trim() || person.last_name || firstName,
    ...(payer.phone ? { phone: payer.phone } : {}),
  };
}

async function explainRefusal(
  app: App,
  provider: PaymentProvider,
  { paymentRequest, refusal }: { paymentRequest: PaymentRequest; refusal: CreateRefusal },
): Promise<contract.CheckoutRefusal> {
  const { order, account } = paymentRequest;
  const orderId = order.id;
  const providerName = contract.PROVIDERS[provider.id].name;
  if (refusal.kind === "request") {
    return { kind: "checkout.provider-refused", message: refusal.message, orderId };
  }
  app.log.warn({ provider: provider.id, own: account.keyId !== null }, "keys are refused");
  if (account.keyId !== null) {
    // Never replaced by the instance's account: the francs belong to the seller.
    await noteRefused(app, account.keyId);
    return order.kind === "trial"
      ? { kind: "checkout.provider-keys-refused", providerName, orderId }
      : { kind: "checkout.method-closed", orderId };
  }
  await raiseAlert(app.db, {
    kind: "provider.keys-refused",
    subject: provider.id,
    details: {},
    now: app.clock.now(),
  });
  return { kind: "checkout.provider-keys-refused", providerName, orderId };
}

type ChangeRequest = {
  readonly buyer: Caller;
  readonly orderId: bigint;
  readonly body: z.output<typeof contract.openPayment.body>;
};

/**
 * Another provider, or another attempt, for a pending or failed order: at its original price, as
 * long as it could be ordered now. Both payments may then be paid: the first confirmed pays the
 * order, the other is refunded.
 */
export async function changePayment(app: App, { buyer, orderId, body }: ChangeRequest) {
  const chosen = checkChoice(body);
  if (!chosen.ok) return chosen;
  const order = await orders.findOrderOf(app.db, orderId, buyer.personId);
  if (order?.buyer_id !== buyer.personId) return refuse({ kind: "checkout.order-not-found" });
  if (!orders.isUnpaid(order)) return refuse({ kind: "checkout.already-paid" });
  if (addMs(order.created_at, contract.ASKED_FOR_MS) <= app.clock.now()) {
    return refuse({ kind: "checkout.order-too-old" });
  }
  const account = await checkAccount(app, { order, buyer, providerId: chosen.value });
  if (!account.ok) return account;
  const payer = payerOf(buyer.personId, body.customer);
  const known = await orders.getOrderToPay(app.db, orderId);
  const paymentRequest = { order: known, account: account.value, payer, repeats: false };
  const started = await startPayment(app, paymentRequest);
  if (!started.ok) return started;
  // A failed order is pending again.
  return ok(openedOrder(await orders.getOrderToPay(app.db, orderId), started.value));
}

async function checkAccount(
  app: App,
  { order, buyer, providerId }: { order: orders.OrderRow; buyer: Caller; providerId: string },
): Promise<Result<Account, contract.CheckoutRefusal>> {
  switch (order.kind) {
    case "donation":
    case "product": {
      if (order.reference === null) return refuse({ kind: "checkout.product-not-found" });
      const sale = await checkSale(app, order.reference, buyer);
      if (!sale.ok) return sale;
      return chooseOffer(await offersOf(app, order.seller_id), providerId);
    }
    case "plan": {
      const forbidden = await checkPlanBuyer(app.db, buyer.personId);
      if (forbidden) return refuse(forbidden);
      return chooseOffer(await offersOf(app, null), providerId);
    }
    case "trial": {
      const account = await maybe<{ provider: string; key_id: bigint | null }>(app.db)`
        SELECT provider, key_id FROM payments WHERE order_id = ${order.id}
        ORDER BY id DESC LIMIT 1
      `;
      if (!account || !contract.isKnownProvider(account.provider)) {
        return refuse({ kind: "checkout.method-closed" });
      }
      return chooseOffer([{ provider: account.provider, keyId: account.key_id }], providerId);
    }
  }
}
