import { readPrice } from "@sesame/contract/catalogue";
import {
  type CheckoutRefusal,
  type CustomerOnWire,
  DONATION_MAX,
  isEmail,
  isKnownProvider,
  type listPaymentProviders,
  type PaymentProviderOnWire,
  sayQuote,
  PAYMENT_PROVIDERS,
} from "@sesame/contract/checkout";
import { fcfa, ok, type Result, refuse } from "@sesame/kernel";
import type { z } from "zod";
import type { App } from "../../app.ts";
import type { Principal } from "../../http/server.ts";
import { type Db, maybe } from "../../postgres/database.ts";
import { quoteOf } from "../../providers.ts";
import { type Offer, offersOf } from "../payment-accounts/index.ts";
import { type ProductForSale, productForSale } from "../catalogue/index.ts";
import { healthOf } from "./checks.ts";
import { groupById, isAdminOf } from "../groups/index.ts";

export type Caller = Pick<Principal, "personId" | "telegramId" | "audience">;

export type Payer = {
  readonly personId: bigint;
  readonly email: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly phone: string | null;
};

/** The person's choice, checked before any lookup. */
export function checkChoice(body: {
  readonly provider?: unknown;
  readonly customer?: CustomerOnWire;
}): Result<string, CheckoutRefusal> {
  const { provider } = body;
  if (typeof provider !== "string" || provider.trim() === "") {
    return refuse({ kind: "checkout.method-missing" });
  }
  const email = body.customer?.email;
  if (!isBlank(email) && !(typeof email === "string" && isEmail(email.trim()))) {
    return refuse({ kind: "checkout.email-invalid" });
  }
  return ok(provider);
}

export function payerOf(personId: bigint, customer: CustomerOnWire): Payer {
  const email = customer?.email;
  return {
    personId,
    email: typeof email === "string" && !isBlank(email) ? email.trim() : null,
    firstName: customer?.first_name ?? null,
    lastName: customer?.last_name ?? null,
    phone: customer?.phone?.trim() || null,
  };
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && !value.trim());

type Buyer = {
  /** The plan of the product's seller; null: not chosen yet. */
  readonly seller_plan: "free" | "premium" | null;
  /** The group's admins have banned the buyer. */
  readonly banned: boolean;
};

/** Whether the product may be sold to the caller now; refusals in the order of the contract. */
export async function checkSale(
  app: App,
  reference: string,
  caller: Pick<Caller, "personId" | "telegramId">,
): Promise<Result<{ product: ProductForSale; buyer: Buyer }, CheckoutRefusal>> {
  const product = await productForSale(app.db, reference);
  if (!product) return refuse({ kind: "checkout.product-not-found" });
  if (product.sellerId === caller.personId) return refuse({ kind: "checkout.own-product" });
  if (product.suspended) return refuse({ kind: "checkout.suspended" });
  if (product.archived || !product.switchedOn) return refuse({ kind: "checkout.product-closed" });
  const closed = await checkGroup(app, product, caller.telegramId);
  if (closed) return refuse(closed);
  const { personId } = caller;
  const { sellerId, groupId } = product;
  const buyer = await maybe<Buyer>(app.db)`
    SELECT s.plan AS seller_plan,
      EXISTS (SELECT FROM accesses a WHERE a.person_id = p.id AND a.group_id = ${groupId}::bigint
        AND a.status = 'banned') AS banned
    FROM people p CROSS JOIN sellers s
    WHERE p.id = ${personId} AND s.id = ${sellerId}
  `;
  if (!buyer) return refuse({ kind: "checkout.product-not-found" });
  if (buyer.banned) return refuse({ kind: "checkout.banned" });
  return ok({ product, buyer });
}

/** The amount to pay: the seller's price, or the donor's choice from the minimum up. */
export function checkAmount(product: Pick<ProductForSale, "kind" | "price">, amount: unknown) {
  if (product.kind !== "donation") {
    return amount === undefined ? ok(product.price) : refuse({ kind: "checkout.amount-not-free" });
  }
  const given = typeof amount === "string" || typeof amount === "number" ? String(amount) : "";
  const francs = readPrice(given);
  if (francs === null) return refuse({ kind: "checkout.amount-invalid" });
  const { price: minimum } = product;
  if (francs < minimum) return refuse({ kind: "checkout.amount-too-low", minimum });
  return francs > DONATION_MAX ? refuse({ kind: "checkout.amount-too-high" }) : ok(francs);
}

async function checkGroup(
  app: App,
  product: ProductForSale,
  telegramId: bigint,
): Promise<CheckoutRefusal | null> {
  if (product.groupId === null) return null;
  const group = await groupById(app.db, product.groupId);
  // The group's creator took it over: only products of the new seller open it.
  if (group?.seller_id !== product.sellerId) return { kind: "checkout.group-unhealthy" };
  if (group.state === "over_quota") return { kind: "checkout.group-over-quota" };
  if (group.state !== "connected") return { kind: "checkout.group-unhealthy" };
  const admin = await isAdminOf(app.db, product.groupId, telegramId);
  return admin ? { kind: "checkout.group-admin" } : null;
}

/** The buyer of a plan for himself; null: allowed, he is a seller. */
export async function checkPlanBuyer(db: Db, personId: bigint): Promise<CheckoutRefusal | null> {
  const seller = await maybe<{ closed: boolean }>(db)`
    SELECT closed_at IS NOT NULL AS closed FROM sellers WHERE id = ${personId}
  `;
  if (!seller) return { kind: "checkout.seller-unknown" };
  return seller.closed ? { kind: "checkout.account-closed" } : null;
}

/** The account for a provider's name, among the open ones. */
export function chooseOffer(offers: readonly Offer[], id: string) {
  if (offers.length === 0) return refuse({ kind: "checkout.no-method" });
  const offer = offers.find(({ provider }) => provider === id);
  if (offer) return ok(offer);
  return refuse({
    kind: isKnownProvider(id) ? "checkout.method-closed" : "checkout.method-unknown",
  });
}

/** The subject of the payment choice: a product, the premium plan, or the instance. */
type OffersQuery = z.output<typeof listPaymentProviders.query>;

/** The open providers; disturbed ones are marked, and last. */
export async function offersFor(app: App, query: OffersQuery) {
  const wanted = await readWanted(app, query);
  if (!wanted) return null;
  const offers = await offersOf(app, wanted.sellerId);
  const disturbed = await healthOf(app).disturbed();
  const listed: PaymentProviderOnWire[] = [];
  for (const { provider, keyId } of offers) {
    const quote = wanted.price && (await quoteOf(app, provider, wanted.price));
    listed.push({
      ...PAYMENT_PROVIDERS[provider],
      disturbed: keyId === null && disturbed.has(provider),
      own: keyId !== null,
      quote: quote && { currency: quote.currency, amount: quote.amount, label: sayQuote(quote) },
    });
  }
  return listed.toSorted((a, b) => Number(a.disturbed) - Number(b.disturbed));
}

/** The instance's providers, without the mark "perturbé". */
export function openProviders(app: App): PaymentProviderOnWire[] {
  return app.providers.map(({ id }) => PAYMENT_PROVIDERS[id]);
}

async function readWanted(app: App, query: OffersQuery) {
  if (query.reference !== undefined) {
    const product = await productForSale(app.db, query.reference);
    if (!product) return null;
    const { sellerId, kind, price } = product;
    if (kind !== "donation") return { sellerId, price };
    return { sellerId, price: query.amount === undefined ? null : fcfa(query.amount) };
  }
  if (query.plan === undefined) return { sellerId: null, price: null };
  return { sellerId: null, price: (await app.settings.current()).premium.price };
}
