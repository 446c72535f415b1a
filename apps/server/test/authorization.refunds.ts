import type { Row } from "./authorization.table.ts";
import type { CallOptions } from "./http-call.ts";

const NOBODY = "999999999";
const ALL_OF_THE_DESK = ["agent", "operator"] as const;

const onOrder = (audience: "person" | "seller", act: string, body: object): Row => ({
  kind: "mine",
  for: audience,
  path: (stage) => `/api/orders/${stage.order.id}/${act}`,
  options: { body },
});
const onNothing = (
  audience: "seller" | "agent" | "operator",
  path: string,
  options: CallOptions,
): Row => ({
  kind: "mine",
  for: audience,
  path: () => path,
  options,
});
const refund = (act: string, body: object): Row =>
  onNothing("agent", `/api/desk/refunds/${NOBODY}/${act}`, { body });

/** Money back to buyers, and what they claim: rows of the table of who may call what. */
export const REFUNDS_ROWS: Readonly<Record<string, Row>> = {
  "POST /api/orders/:id/refund": onOrder("seller", "refund", { motif: "Erreur" }),
  "POST /api/orders/:id/refund-number": onOrder("person", "refund-number", {}),
  "POST /api/refunds/:id/given-back": onNothing("seller", `/api/refunds/${NOBODY}/given-back`, {
    body: {},
  }),
  "GET /api/desk/refunds": { kind: "mine", for: "agent" },
  "POST /api/desk/refunds/:id/take": refund("take", {}),
  "POST /api/desk/refunds/:id/paid": refund("paid", { reference: "MP1.23" }),
  "POST /api/desk/refunds/:id/wrong-number": refund("wrong-number", { reason: "Inconnu" }),
  "POST /api/desk/refunds/:id/returned": onNothing(
    "operator",
    `/api/desk/refunds/${NOBODY}/returned`,
    {},
  ),
  "POST /api/desk/refunds/:id/fee": onNothing("operator", `/api/desk/refunds/${NOBODY}/fee`, {
    body: { montant: 2_000 },
  }),
  "GET /api/desk/orders/:id": {
    kind: "owned",
    for: "agent",
    own: (stage) => `/api/desk/orders/${stage.order.id}`,
    absent: `/api/desk/orders/${NOBODY}`,
    owners: ALL_OF_THE_DESK,
  },
  "POST /api/desk/orders/:id/refund": {
    kind: "mine",
    for: "operator",
    path: (stage) => `/api/desk/orders/${stage.order.id}/refund`,
    options: { body: { reason: "Erreur" } },
  },
  "POST /api/desk/payments/:id/decide": onNothing(
    "operator",
    `/api/desk/payments/${NOBODY}/decide`,
    { body: { outcome: "honour", reason: "Vu chez eux" } },
  ),
  "POST /api/orders/:id/claim": onOrder("person", "claim", { motif: "other" }),
  "GET /api/claims": { kind: "mine", for: "seller" },
  "GET /api/claims/:id": {
    kind: "owned",
    for: "person",
    own: (stage) => `/api/claims/${stage.claim.id}`,
    absent: `/api/claims/${NOBODY}`,
    owners: ["buyer", "seller"],
  },
  "POST /api/claims/:id/answer": {
    kind: "owned",
    for: "person",
    own: (stage) => `/api/claims/${stage.claim.id}/answer`,
    absent: `/api/claims/${NOBODY}/answer`,
    options: { body: { message: "Bonjour" } },
    owners: ["buyer", "seller"],
  },
  "POST /api/claims/:id/contest": {
    kind: "mine",
    for: "seller",
    path: (stage) => `/api/claims/${stage.claim.id}/contest`,
    options: { body: { message: "Bonjour" } },
  },
  "GET /api/desk/claims": { kind: "mine", for: "agent" },
  "GET /api/desk/claims/:id": {
    kind: "owned",
    for: "agent",
    own: (stage) => `/api/desk/claims/${stage.claim.id}`,
    absent: `/api/desk/claims/${NOBODY}`,
    owners: ALL_OF_THE_DESK,
  },
  "POST /api/desk/claims/:id/decide": {
    kind: "mine",
    for: "operator",
    path: (stage) => `/api/desk/claims/${stage.claim.id}/decide`,
    options: { body: {} },
  },
  "POST /api/claims/:id/withdraw": {
    kind: "owned",
    for: "person",
    own: (stage) => `/api/claims/${stage.claim.id}/withdraw`,
    absent: `/api/claims/${NOBODY}/withdraw`,
    owners: ["buyer"],
  },
};
