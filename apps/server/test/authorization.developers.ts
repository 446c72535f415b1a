import type { Row } from "./authorization.table.ts";
import type { CallOptions } from "./http-call.ts";

const NOBODY = "999999999";

/** About one thing of the seller's own. */
const owned = (
  path: (id: string) => string,
  of: "endpoint" | "delivery" | "developerKey",
  options: CallOptions = {},
): Row => ({
  kind: "owned",
  for: "seller",
  own: (stage) => path(stage[of].id),
  absent: path(NOBODY),
  owners: ["seller"],
  options,
});

const endpoint = (act: string, options?: CallOptions) =>
  owned((id) => `/api/developers/endpoints/${id}${act}`, "endpoint", options);

/** By key alone: tokens, whoever's, are no keys. What keys open has a test of its own. */
const byKey: Row = { kind: "key" };

/** Keys, endpoints and the developer API: rows of the table of who may call what. */
export const DEVELOPERS_ROWS: Readonly<Record<string, Row>> = {
  "GET /api/developers": { kind: "mine", for: "seller" },
  "POST /api/developers/keys": { kind: "mine", for: "seller", options: { body: {} } },
  "POST /api/developers/endpoints": { kind: "mine", for: "seller", options: { body: {} } },
  "PUT /api/developers/endpoints/:id": endpoint("", { body: { events: ["order.paid"] } }),
  "POST /api/developers/endpoints/:id/secret": endpoint("/secret"),
  "POST /api/developers/endpoints/:id/ping": endpoint("/ping"),
  "GET /api/developers/deliveries": { kind: "mine", for: "seller" },
  "GET /api/developers/deliveries/:id": owned(
    (id) => `/api/developers/deliveries/${id}`,
    "delivery",
  ),
  "POST /api/developers/deliveries/:id/replay": owned(
    (id) => `/api/developers/deliveries/${id}/replay`,
    "delivery",
  ),
  "DELETE /api/developers/endpoints/:id": endpoint(""),
  "DELETE /api/developers/keys/:id": owned((id) => `/api/developers/keys/${id}`, "developerKey"),
  "GET /api/v1/products": byKey,
  "GET /api/v1/products/:id": byKey,
  "PATCH /api/v1/products/:id": byKey,
  "GET /api/v1/orders": byKey,
  "GET /api/v1/orders/:id": byKey,
  "GET /api/v1/accesses": byKey,
  "GET /api/v1/statistics": byKey,
};
