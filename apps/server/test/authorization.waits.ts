import type { Row } from "./authorization.table.ts";

const line: Row = {
  kind: "mine",
  for: "person",
  path: (stage) => `/api/waits/${stage.product.reference}`,
};

/** The line for a place: each stands in it for himself. */
export const WAITS_ROWS: Readonly<Record<string, Row>> = {
  "GET /api/waits/:reference": line,
  "POST /api/waits/:reference": line,
  "DELETE /api/waits/:reference": line,
};
