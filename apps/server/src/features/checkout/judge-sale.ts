import { readPrice } from "@sesame/contract/catalogue";
import {
  type CheckoutRefusal,
  type CustomerOnWire,
  DONATION_MAX,
  isEmail,
} from "@sesame/contract/checkout";
import { type Fcfa, ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { type ProductForSale, productForSale } from "../catalogue/index.ts";
import { groupById, isAdminOf } from "../groups/index.ts";
import type { Payer } from "./open-payment.ts";
import { type BuyerRow, viewBuyer } from "./order.view.ts";

export type Caller = {
  readonly personId: bigint;
  readonly telegramId: bigint;
  readonly audience: "seller" | "buyer";
};

/** What the person chose, read before anything is looked up. */
export function judgeChoice(body: {
  readonly provider?: unknown;
  readonly customer?: CustomerOnWire | undefined;
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

export function payerOf(personId: bigint, customer: CustomerOnWire | undefined): Payer {
  const email = customer?.email;
  return {
    personId,
    email: typeof email === "string" && !isBlank(email) ? email.trim() : null,
    firstName: customer?.first_name ?? null,
    lastName: customer?.last_name ?? null,
    phone: customer?.phone?.trim() || null,
  };
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && !value.trim());
}

export type Sale = { readonly product: ProductForSale; readonly buyer: BuyerRow };

/** Whether the product may be sold to the caller now; the reasons in the order of the contract. */
export async function judgeSale(
  app: App,
  reference: string,
  caller: Pick<Caller, "personId" | "telegramId">,
): Promise<Result<Sale, CheckoutRefusal>> {
  const product = await productForSale(app.db, reference);
  if (!product) return refuse({ kind: "checkout.product-not-found" });
  if (product.sellerId === caller.personId) return refuse({ kind: "checkout.own-product" });
  if (product.suspended) return refuse({ kind: "checkout.suspended" });
  if (product.archived || !product.switchedOn) return refuse({ kind: "checkout.product-closed" });
  const closed = await judgeGroup(app, product, caller.telegramId);
  if (closed) return refuse(closed);
  const { personId } = caller;
  const { sellerId, groupId } = product;
  const buyer = await viewBuyer(app.db, { personId, sellerId, groupId });
  if (!buyer) return refuse({ kind: "checkout.product-not-found" });
  if (buyer.banned) return refuse({ kind: "checkout.banned" });
  return ok({ product, buyer });
}

/** What is paid: the seller's price, or what a donor chose, of his minimum and more. */
export function judgeAmount(
  product: Pick<ProductForSale, "kind" | "price">,
  amount: unknown,
): Result<Fcfa, CheckoutRefusal> {
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

async function judgeGroup(
  app: App,
  product: ProductForSale,
  telegramId: bigint,
): Promise<CheckoutRefusal | null> {
  if (product.groupId === null) return null;
  const group = await groupById(app.db, product.groupId);
  // Its creator has taken the group back: only the new seller's products open it.
  if (group?.seller_id !== product.sellerId) return { kind: "checkout.group-unhealthy" };
  if (group.state === "over_quota") return { kind: "checkout.group-over-quota" };
  if (group.state !== "connected") return { kind: "checkout.group-unhealthy" };
  const admin = await isAdminOf(app.db, product.groupId, telegramId);
  return admin ? { kind: "checkout.group-admin" } : null;
}
