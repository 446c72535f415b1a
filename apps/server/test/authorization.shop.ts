import type { Row } from "./authorization.table.ts";

/** The seller's shop, and what he told the assistant. */
export const SHOP_ROWS: Readonly<Record<string, Row>> = {
  "GET /api/shop": { kind: "mine", for: "seller" },
  "GET /api/soni": { kind: "mine", for: "seller" },
  "PUT /api/soni": { kind: "mine", for: "seller", options: { body: { motivation: 4 } } },
};
