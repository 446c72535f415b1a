import {
  type CheckoutRefusal,
  isKnownProvider,
  PAYMENT_PROVIDERS,
  type PaymentProviderOnWire,
  sayQuote,
} from "@sesame/contract/checkout";
import { type Fcfa, fcfa, ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { quoteOf } from "../../providers.ts";
import { type Offer, offersOf } from "../aggregators/index.ts";
import { productForSale } from "../catalogue/index.ts";
import { healthOf } from "./health.ts";
import type { Account } from "./opening.store.ts";

/** The account behind a provider's name, among what is offered. */
export function chooseOffer(
  offers: readonly Offer[],
  id: string,
): Result<Account, CheckoutRefusal> {
  if (offers.length === 0) return refuse({ kind: "checkout.no-method" });
  const offer = offers.find(({ provider }) => provider === id);
  if (offer) return ok(offer);
  return refuse({
    kind: isKnownProvider(id) ? "checkout.method-closed" : "checkout.method-unknown",
  });
}

/** What the payment choice is asked for: a product, the premium plan, or the instance at large. */
export type OffersQuery = {
  readonly reference?: string | undefined;
  readonly plan?: unknown;
  /** Of a donation: what the donor chose. */
  readonly amount?: number | undefined;
};

/** By what it may be paid now; those that answer badly are marked, and stand last. */
export async function offersFor(
  app: App,
  query: OffersQuery,
): Promise<PaymentProviderOnWire[] | null> {
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

/** The instance's, as they stand: none is marked "perturbé". */
export function openProviders(app: App): PaymentProviderOnWire[] {
  return app.providers.map(({ id }) => PAYMENT_PROVIDERS[id]);
}

type Wanted = { readonly sellerId: bigint | null; readonly price: Fcfa | null };

async function readWanted(app: App, query: OffersQuery): Promise<Wanted | null> {
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
