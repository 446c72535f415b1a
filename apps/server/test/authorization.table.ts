import type { CreateOrderAnswer } from "@sesame/contract/checkout";
import type { ProductOnWire } from "@sesame/contract/catalogue";
import { DESK_ROWS } from "./authorization.desk.ts";
import { DEVELOPERS_ROWS } from "./authorization.developers.ts";
import { GROUPS_ROWS } from "./authorization.groups.ts";
import { PLANS_ROWS } from "./authorization.plans.ts";
import { REFUNDS_ROWS } from "./authorization.refunds.ts";
import { REGISTRY_ROWS } from "./authorization.registry.ts";
import { OWNERSHIP_ROWS } from "./authorization.ownership.ts";
import { STATISTICS_ROWS } from "./authorization.statistics.ts";
import { SHOP_ROWS } from "./authorization.shop.ts";
import { SUPPORT_ROWS } from "./authorization.support.ts";
import type { CallOptions } from "./http-call.ts";
import type { WithdrawalOnWire } from "@sesame/contract/withdrawals";
import type { LinkedGroup, SignedInBuyer, SignedInSeller } from "./harness.ts";

/**
 * What the matrix is played on: a seller with a group, a product and a request for his money, and a
 * buyer's open order.
 */
export type Stage = {
  readonly seller: SignedInSeller;
  readonly buyer: SignedInBuyer;
  readonly group: LinkedGroup;
  readonly product: ProductOnWire;
  readonly order: CreateOrderAnswer;
  readonly withdrawal: WithdrawalOnWire;
  readonly claim: { readonly id: string };
  readonly ticket: { readonly id: string };
  readonly developerKey: { readonly id: string };
  readonly endpoint: { readonly id: string };
  readonly delivery: { readonly id: string };
};

export const ROLES = [
  "none",
  "expired",
  "forged",
  "buyer",
  "seller",
  "other seller",
  "agent",
  "operator",
] as const;
export type TestRole = (typeof ROLES)[number];

/** What a route about one thing of somebody's says to whom. */
export type Owned = {
  /** Path of the thing, whose owner may do this. */
  readonly own: (stage: Stage) => string;
  /** The same path about nothing at all: a foreign one must answer exactly alike. */
  readonly absent: string;
  readonly owners: readonly TestRole[];
};

/**
 * A row for each route:
 *
 * · `open` — anybody, no token needed; `path` when its parameters matter.
 * · `proof` — refused without Telegram's or a provider's signature; tokens mean nothing to it.
 * · `mine` — any token of the roles in `for`; answers about the caller, names nobody else's id, or
 *   is the desk's, which sees everybody's; `path` when its parameters matter.
 * · `owned` — about one thing: see `Owned`; every other role that passes meets "absent".
 * · `named` — as `owned`, the thing being named in the body.
 *
 * · `key` — a seller's own program, by key; no token is one.
 *
 * Rows are played in this order: what ends a thing stands last.
 */
export type Row =
  | { readonly kind: "open"; readonly path?: (stage: Stage) => string }
  | { readonly kind: "proof"; readonly status: 401 | 403 }
  | { readonly kind: "key" }
  | {
      readonly kind: "mine";
      readonly for: Audience;
      readonly options?: CallOptions;
      readonly path?: (stage: Stage) => string;
      /** For the premium plan alone: the stage's seller has it, the others meet its gate. */
      readonly premium?: true;
    }
  | ({ readonly kind: "owned"; readonly for: Audience; readonly options?: CallOptions } & Owned)
  | {
      readonly kind: "named";
      readonly for: Audience;
      readonly body: (id: string) => unknown;
      readonly own: (stage: Stage) => string;
      readonly absent: string;
      readonly owners: readonly TestRole[];
    };

/** Who passes the door; agents and operators of the matrix signed in at the sellers' door. */
export type Audience = "person" | "seller" | "agent" | "operator";

const NOBODY = "999999999";
const order = (path: (id: string) => string): Owned => ({
  own: (stage) => path(stage.order.id),
  absent: path(NOBODY),
  owners: ["buyer", "seller"],
});
const product = (path: (id: string) => string): Owned => ({
  own: (stage) => path(stage.product.id),
  absent: path(NOBODY),
  owners: ["seller"],
});
const withdrawal = (path: (id: string) => string): Owned => ({
  own: (stage) => path(stage.withdrawal.id),
  absent: path(NOBODY),
  owners: ["seller"],
});
const user = (path: (id: string) => string): Owned => ({
  own: (stage) => path(stage.seller.id),
  absent: path(NOBODY),
  owners: ["seller"],
});

export const AUTHORIZATION: Readonly<Record<string, Row>> = {
  "GET /health": { kind: "open" },
  "GET /ready": { kind: "open" },
  "GET /api/openapi.json": { kind: "open" },
  "GET /docs": { kind: "open" },
  ...PLANS_ROWS,
  ...OWNERSHIP_ROWS,
  ...STATISTICS_ROWS,
  ...SHOP_ROWS,
  ...SUPPORT_ROWS,
  ...GROUPS_ROWS,
  "GET /api/config/subscription_durations": { kind: "open" },
  "GET /api/payment-providers": { kind: "open" },
  "GET /api/public/products/:reference": {
    kind: "open",
    path: (stage) => `/api/public/products/${stage.product.reference}`,
  },
  "GET /api/products/:idVendeur/:idProduit": {
    kind: "open",
    path: (stage) => `/api/products/${stage.seller.id}/${stage.product.id}`,
  },
  "GET /images/:id/:file": {
    kind: "open",
    path: (stage) => stage.product.image_url ?? "",
  },
  // The secret is the proof: whoever was sent back from the provider's page holds it.
  "GET /api/orders/by-secret/:secret": {
    kind: "open",
    path: () => `/api/orders/by-secret/${"x".repeat(32)}`,
  },
  "POST /api/payments/:secret/heard": {
    kind: "open",
    path: () => `/api/payments/${"x".repeat(32)}/heard`,
  },

  "GET /api/auth/vendeur": { kind: "proof", status: 401 },
  "POST /api/auth/vendeur": { kind: "proof", status: 401 },
  "POST /api/auth/acheteur": { kind: "proof", status: 401 },
  "POST /webhooks/moneroo": { kind: "proof", status: 403 },
  "POST /webhooks/paydunya": { kind: "proof", status: 403 },
  "POST /webhooks/fedapay": { kind: "proof", status: 403 },
  "POST /webhooks/kkiapay": { kind: "proof", status: 403 },
  "POST /webhooks/cryptopay": { kind: "proof", status: 403 },
  // Of a seller's own account: there is none of this number.
  "POST /webhooks/:provider/:keyId": {
    kind: "open",
    path: () => "/webhooks/moneroo/999999999",
  },
  "GET /metrics": { kind: "proof", status: 401 },

  "POST /api/socket/add": {
    kind: "mine",
    for: "person",
    options: { body: { idsocket: "s1", iduser: NOBODY, role: "vendeur" } },
  },
  "GET /api/me/access": { kind: "mine", for: "person" },
  "POST /api/orders/:id/payment": {
    kind: "owned",
    for: "person",
    own: (stage) => `/api/orders/${stage.order.id}/payment`,
    absent: `/api/orders/${NOBODY}/payment`,
    owners: ["buyer"],
    options: { body: { provider: "moneroo" } },
  },
  "POST /api/orders": {
    kind: "mine",
    for: "person",
    options: { body: { reference: "nosuchref1" } },
  },
  "POST /api/payment/moneroo/create": { kind: "mine", for: "seller", options: { body: {} } },
  "GET /api/products": { kind: "mine", for: "seller" },
  "POST /api/products": { kind: "mine", for: "seller", options: { body: {} } },
  "GET /api/channels": { kind: "mine", for: "seller" },
  "POST /api/channels/refresh": { kind: "mine", for: "seller" },
  "GET /api/bot/links": { kind: "mine", for: "seller" },
  "GET /api/transactions": { kind: "mine", for: "seller" },
  "GET /api/subscriptions": { kind: "mine", for: "seller" },
  "POST /api/users/retrait/demande": { kind: "mine", for: "seller", options: { body: {} } },
  "GET /api/users/retrait/mes-demandes": { kind: "mine", for: "seller" },
  "GET /api/users/retrait/limites": { kind: "mine", for: "seller" },
  "GET /api/users/paiement": { kind: "mine", for: "seller" },
  "PUT /api/users/paiement/update": {
    kind: "mine",
    for: "seller",
    options: { body: { retrait_auto: 0 } },
  },

  "GET /api/users/:id": { kind: "owned", for: "seller", ...user((id) => `/api/users/${id}`) },
  "PUT /api/users/:id": {
    kind: "owned",
    for: "seller",
    options: { body: { display_name: "Changé" } },
    ...user((id) => `/api/users/${id}`),
  },
  "GET /api/products/seller/:id": {
    kind: "owned",
    for: "seller",
    ...user((id) => `/api/products/seller/${id}`),
  },
  "GET /api/products/:id": {
    kind: "owned",
    for: "seller",
    ...product((id) => `/api/products/${id}`),
  },
  "GET /api/products/:id/members": {
    kind: "owned",
    for: "seller",
    ...product((id) => `/api/products/${id}/members`),
  },
  "PUT /api/products/:id": {
    kind: "owned",
    for: "seller",
    options: { body: { status: "inactive" } },
    ...product((id) => `/api/products/${id}`),
  },
  "GET /api/orders/:id": { kind: "owned", for: "person", ...order((id) => `/api/orders/${id}`) },
  "GET /api/payment/moneroo/verify/:paymentId": {
    kind: "owned",
    for: "person",
    ...order((id) => `/api/payment/moneroo/verify/${id}`),
  },
  "GET /api/verify/:paymentId": {
    kind: "owned",
    for: "person",
    ...order((id) => `/api/verify/${id}`),
  },
  "GET /api/verify-abonnement-fedapay/:paymentId": {
    kind: "owned",
    for: "person",
    ...order((id) => `/api/verify-abonnement-fedapay/${id}`),
  },
  "POST /api/transactions": {
    kind: "named",
    for: "person",
    body: (id) => ({ order_id: id }),
    ...order((id) => id),
  },
  "GET /api/users/retrait/:id": {
    kind: "owned",
    for: "seller",
    ...withdrawal((id) => `/api/users/retrait/${id}`),
  },
  ...DESK_ROWS,
  "DELETE /api/users/retrait/annuler/:id": {
    kind: "owned",
    for: "seller",
    ...withdrawal((id) => `/api/users/retrait/annuler/${id}`),
  },
  ...REFUNDS_ROWS,
  ...REGISTRY_ROWS,
  ...DEVELOPERS_ROWS,
  "DELETE /api/products/:id": {
    kind: "owned",
    for: "seller",
    ...product((id) => `/api/products/${id}`),
  },
  "POST /api/auth/logout": { kind: "mine", for: "person" },
};

/** Registered only with a webhook secret: refused without it. */
export const NOTICE_ROUTES: readonly string[] = [
  "POST /webhooks/telegram/seller",
  "POST /webhooks/telegram/buyer",
];

export { PAGE_ROUTES } from "./authorization.pages.ts";
