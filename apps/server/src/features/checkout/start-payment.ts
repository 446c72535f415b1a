import {
  type CheckoutRefusal,
  describePayment,
  PAYMENT_PROVIDERS,
} from "@sesame/contract/checkout";
import { assert, ok, type Result, refuse, secretToken } from "@sesame/kernel";
import type { CreateRefusal, PayingCustomer, PaymentProvider } from "@sesame/providers";
import type { CheckoutDeps } from "./needs.ts";
import {
  abandonOrder,
  findOrderToPay,
  insertPayment,
  type OrderToPay,
  raiseAlert,
} from "./order.store.ts";
import { viewName } from "./order.view.ts";

export type Payer = {
  readonly personId: bigint;
  readonly email: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly phone: string | null;
};

export type PaymentStarter = {
  /** Opens a payment at the order's provider. → the address of its page. Throws an `Outage`. */
  start(order: OrderToPay, payer: Payer): Promise<Result<string, CheckoutRefusal>>;
};

const SECRET_BYTES = 24;

/**
 * One call to the provider at a time for an order: an impatient retry shares the answer of the call
 * under way in place of opening a second payment.
 */
export function createPaymentStarter(deps: CheckoutDeps): PaymentStarter {
  const underWay = new Map<bigint, Promise<Result<string, CheckoutRefusal>>>();
  return {
    start(order, payer) {
      const shared = underWay.get(order.id);
      if (shared) return shared;
      const started = startPayment(deps, order, payer).finally(() => underWay.delete(order.id));
      underWay.set(order.id, started);
      return started;
    },
  };
}

async function startPayment(
  deps: CheckoutDeps,
  order: OrderToPay,
  payer: Payer,
): Promise<Result<string, CheckoutRefusal>> {
  const provider = deps.providers.find(({ id }) => id === order.provider);
  if (!provider) return refuse({ kind: "checkout.method-closed" });
  // The call that had the order before us may have ended between our look at it and now.
  const { checkout_url: opened } = await findOrderToPay(deps.db, order.id);
  if (opened) return ok(opened);
  const returnSecret = secretToken(SECRET_BYTES, deps.chance);
  const created = await provider.createPayment({
    reference: String(order.id),
    amount: order.price,
    description: describePayment(order.title),
    returnUrl: `${deps.publicUrl}/paiement/retour/${returnSecret}`,
    customer: await nameCustomer(deps, order, payer),
  });
  if (!created.ok) {
    await abandonOrder(deps.db, order.id);
    return refuse(await explainRefusal(deps, provider, created.refusal));
  }
  await insertPayment(deps.db, {
    orderId: order.id,
    provider: provider.id,
    providerPaymentId: created.value.providerPaymentId,
    checkoutUrl: created.value.redirectUrl,
    returnSecret,
    amount: order.price,
    createdAt: deps.clock.now(),
  });
  return ok(created.value.redirectUrl);
}

/** A missing last name becomes the first name, a missing email one of ours (WIRE §2). */
async function nameCustomer(
  deps: CheckoutDeps,
  order: OrderToPay,
  payer: Payer,
): Promise<PayingCustomer> {
  const person = await viewName(deps.db, payer.personId);
  assert(person, "the payer exists");
  const firstName = payer.firstName?.trim() || person.first_name;
  return {
    email: payer.email ?? `${order.id}@${new URL(deps.publicUrl).hostname}`,
    firstName,
    lastName: payer.lastName?.trim() || person.last_name || firstName,
    ...(payer.phone ? { phone: payer.phone } : {}),
  };
}

async function explainRefusal(
  deps: CheckoutDeps,
  provider: PaymentProvider,
  refusal: CreateRefusal,
): Promise<CheckoutRefusal> {
  switch (refusal.kind) {
    case "keys":
      deps.log.warn({ provider: provider.id }, "the provider refuses our keys");
      await raiseAlert(deps.db, {
        kind: "provider.keys-refused",
        subject: provider.id,
        details: {},
        now: deps.clock.now(),
      });
      return {
        kind: "checkout.provider-keys-refused",
        providerName: PAYMENT_PROVIDERS[provider.id].name,
      };
    case "request":
      return { kind: "checkout.provider-refused", message: refusal.message };
  }
}
