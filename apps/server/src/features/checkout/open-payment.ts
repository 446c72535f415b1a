import { setTimeout as pause } from "node:timers/promises";
import {
  type CheckoutRefusal,
  describeDonation,
  describePayment,
  OPENING_REFILL_MS,
  type OpensOnWire,
  PAYMENT_PROVIDERS,
  PLAN_TITLE,
  TRIAL_TITLE,
} from "@sesame/contract/checkout";
import { assert, ok, Outage, type Result, refuse, secretToken } from "@sesame/kernel";
import type {
  CreatedPayment,
  CreateRefusal,
  PayingCustomer,
  PaymentProvider,
} from "@sesame/providers";
import type { App } from "../../app.ts";
import { publish } from "../../realtime/events.store.ts";
import { noteRefused, providerFor } from "../aggregators/index.ts";
import { eventsOfStatus } from "./apply-judgements.ts";
import { healthOf } from "./health.ts";
import {
  type Account,
  type Claim,
  claimOpening,
  insertPayment,
  releaseOpening,
} from "./opening.store.ts";
import { abandonOrder, type OrderToPay, type PaymentPage, raiseAlert } from "./order.store.ts";
import { viewName } from "./order.view.ts";

export type Payer = {
  readonly personId: bigint;
  readonly email: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly phone: string | null;
};

export type PaymentWish = {
  readonly order: OrderToPay;
  readonly account: Account;
  readonly payer: Payer;
  /** The order's newest payment is given again, whatever became of it. */
  readonly repeats: boolean;
};

const SECRET_BYTES = 24;
/** Real time: how long a request waits for another at a provider for the same order: a lease. */
const PATIENCE_MS = 13_000;
const LOOK_EVERY_MS = 150;
/** The rate of a provider is counted over a minute: part of it is free again well before. */
const BUSY_SECONDS = 15;

export function opensOf(page: PaymentPage): OpensOnWire {
  if (page.widget) return "widget";
  return page.provider === "stars" ? "invoice" : "page";
}

/**
 * Opens a payment of the order at the account, or gives the one that is open there. One call to a
 * provider at a time for an order, in whichever process: an impatient retry is given the payment of
 * the call under way in place of a second one.
 */
export async function startPayment(
  app: App,
  wish: PaymentWish,
): Promise<Result<PaymentPage, CheckoutRefusal>> {
  const claim = await takeTurn(app, wish);
  switch (claim.kind) {
    case "page":
      return ok(claim.page);
    case "open":
      return open(app, { ...wish, number: claim.number });
    case "busy":
      return refuse({ kind: "checkout.opening" });
    case "paid":
      return refuse({ kind: "checkout.already-paid" });
    case "under-review":
      return refuse({ kind: "checkout.under-review" });
    case "too-many":
      return refuse({ kind: "checkout.too-many-tries" });
    case "sold-out":
      return refuse({ kind: "checkout.sold-out" });
    case "person-budget":
      return refuse({
        kind: "checkout.too-many-openings",
        orderId: wish.order.id,
        retryAfterSeconds: OPENING_REFILL_MS / 1_000,
      });
    case "account-budget":
      return refuse({
        kind: "checkout.provider-busy",
        orderId: wish.order.id,
        retryAfterSeconds: BUSY_SECONDS,
      });
  }
}

async function takeTurn(app: App, wish: PaymentWish): Promise<Claim> {
  const { order, account, repeats } = wish;
  const { providerRates } = await app.settings.current();
  const rate = providerRates[account.provider];
  return whileBusy(() => {
    const now = app.clock.now();
    return claimOpening(app.db, { orderId: order.id, account, repeats, now, rate });
  });
}

/** Looks again until the other call has ended, or patience has. `watch` counts in milliseconds. */
export async function whileBusy<C extends { readonly kind: string }>(
  look: () => Promise<C>,
  watch = { now: () => performance.now(), pause: (ms: number): Promise<unknown> => pause(ms) },
): Promise<C> {
  const patient = watch.now() + PATIENCE_MS;
  for (;;) {
    const claim = await look();
    if (claim.kind !== "busy" || watch.now() > patient) return claim;
    await watch.pause(LOOK_EVERY_MS);
  }
}

type NumberedWish = PaymentWish & { readonly number: number };

/** The order's number is the first payment's reference; those after it count on. */
function referenceOf({ order, number }: NumberedWish): string {
  return number === 1 ? String(order.id) : `${order.id}-${number}`;
}

async function open(app: App, wish: NumberedWish): Promise<Result<PaymentPage, CheckoutRefusal>> {
  const { order, account } = wish;
  const returnSecret = secretToken(SECRET_BYTES, app.chance);
  try {
    const provider = await providerFor(app, account.provider, account.keyId);
    if (!provider) {
      await giveUpOpening(app, order.id);
      return refuse({ kind: "checkout.method-closed", orderId: order.id });
    }
    const customer = await nameCustomer(app, wish);
    const created = await callProvider(app, account, () =>
      provider.createPayment({
        reference: referenceOf(wish),
        amount: order.price,
        description: describe(order),
        title: order.kind === "product" ? order.title : describe(order),
        returnUrl: `${app.config.publicUrl}/paiement/retour/${returnSecret}`,
        noticeUrl: noticeUrl(app, account),
        customer,
      }),
    );
    if (!created.ok) {
      await giveUpOpening(app, order.id);
      return refuse(await explainRefusal(app, provider, { wish, refusal: created.refusal }));
    }
    return await keep(app, wish, { created: created.value, customer, returnSecret });
  } catch (error) {
    await releaseOpening(app.db, order.id);
    if (!(error instanceof Outage)) throw error;
    app.log.warn({ party: error.party, message: error.message }, "a payment was not opened");
    return refuse({ kind: "checkout.provider-silent", orderId: order.id });
  }
}

async function callProvider<T>(app: App, account: Account, call: () => Promise<T>): Promise<T> {
  const health = healthOf(app);
  try {
    const answer = await call();
    // KkiaPay's are made in the browser: nobody has answered anything.
    if (account.provider !== "kkiapay") health.note(account, "answered");
    return answer;
  } catch (error) {
    if (error instanceof Outage) health.note(account, "failed");
    throw error;
  } finally {
    await health.flush();
  }
}

async function giveUpOpening(app: App, orderId: bigint): Promise<void> {
  await releaseOpening(app.db, orderId);
  await abandonOrder(app.db, orderId);
}

type Kept = {
  readonly created: CreatedPayment;
  readonly customer: PayingCustomer;
  readonly returnSecret: string;
};

async function keep(
  app: App,
  wish: NumberedWish,
  { created, customer, returnSecret }: Kept,
): Promise<Result<PaymentPage, CheckoutRefusal>> {
  const { order, account } = wish;
  const { widget, redirectUrl: hostedUrl } = created;
  const page = widget ? `${app.config.publicUrl}/paiement/page/${returnSecret}` : hostedUrl;
  if (page === null) {
    await giveUpOpening(app, order.id);
    return refuse({ kind: "checkout.no-payment-url" });
  }
  const { phone = null, ...named } = customer;
  const written = await app.db.transaction().execute(async (tx) => {
    const state = await insertPayment(tx, {
      orderId: order.id,
      account,
      providerPaymentId: created.providerPaymentId,
      reference: referenceOf(wish),
      checkoutUrl: page,
      hostedUrl,
      widget: widget && { ...widget, customer: { ...named, phone } },
      quote: created.quote,
      returnSecret,
      amount: order.price,
      createdAt: app.clock.now(),
    });
    if (state.reopened) {
      await publish(tx, eventsOfStatus({ id: order.id, buyer_id: state.buyerId }, "pending"));
    }
    return state;
  });
  if (written.paid) return refuse({ kind: "checkout.already-paid" });
  return ok({ url: page, provider: account.provider, widget: widget !== null });
}

function describe(order: OrderToPay): string {
  switch (order.kind) {
    case "product":
      return describePayment(order.title);
    case "donation":
      return describeDonation(order.title);
    case "plan":
      return PLAN_TITLE;
    case "trial":
      return TRIAL_TITLE;
  }
}

function noticeUrl(app: App, { provider, keyId }: Account): string {
  const own = keyId === null ? "" : `/${keyId}`;
  return `${app.config.publicUrl}/webhooks/${provider}${own}`;
}

/** A missing last name becomes the first name, a missing email one of ours (WIRE §2). */
async function nameCustomer(app: App, { order, payer }: PaymentWish): Promise<PayingCustomer> {
  const person = await viewName(app.db, payer.personId);
  assert(person, "the payer exists");
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
  { wish, refusal }: { wish: PaymentWish; refusal: CreateRefusal },
): Promise<CheckoutRefusal> {
  const { order, account } = wish;
  const orderId = order.id;
  const providerName = PAYMENT_PROVIDERS[provider.id].name;
  if (refusal.kind === "request") {
    return { kind: "checkout.provider-refused", message: refusal.message, orderId };
  }
  app.log.warn({ provider: provider.id, own: account.keyId !== null }, "keys are refused");
  if (account.keyId !== null) {
    // Never by the instance's account in their place: the francs are the seller's.
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
