import type { Owned, Row } from "./authorization.table.ts";

const NOBODY = "999999999";

const user = (path: (id: string) => string): Owned => ({
  own: (stage) => path(stage.seller.id),
  absent: path(NOBODY),
  owners: ["seller"],
});

/** Plans and sellers' own aggregators. */
export const PLANS_ROWS: Readonly<Record<string, Row>> = {
  "GET /api/plans": { kind: "open" },
  "GET /api/users/:id/abonnement": {
    kind: "owned",
    for: "seller",
    ...user((id) => `/api/users/${id}/abonnement`),
  },
  "PUT /api/groups/quota": { kind: "mine", for: "seller", options: { body: { groups: [NOBODY] } } },
  "GET /api/payment-aggregators": { kind: "mine", for: "seller" },
  "GET /api/user-aggregators/:userId": {
    kind: "owned",
    for: "seller",
    ...user((id) => `/api/user-aggregators/${id}`),
  },
  "PUT /api/user-aggregators/:userId/:key": {
    kind: "owned",
    for: "seller",
    options: { body: { isActive: true } },
    ...user((id) => `/api/user-aggregators/${id}/fedapay`),
  },
  "POST /api/user-aggregators/:userId/:key/trial": {
    kind: "owned",
    for: "seller",
    ...user((id) => `/api/user-aggregators/${id}/fedapay/trial`),
  },
  "DELETE /api/user-aggregators/:userId/:key": {
    kind: "owned",
    for: "seller",
    ...user((id) => `/api/user-aggregators/${id}/fedapay`),
  },
};
