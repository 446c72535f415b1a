import type { Row } from "./authorization.table.ts";

/** Statistics and the calendar: each caller's own. */
export const STATISTICS_ROWS: Readonly<Record<string, Row>> = {
  "GET /api/statistics": { kind: "mine", for: "seller" },
  "GET /api/statistics/export": { kind: "mine", for: "seller", premium: true },
  "GET /api/calendar": { kind: "mine", for: "seller", path: () => "/api/calendar?mois=2026-11" },
  "GET /api/calendar/day": {
    kind: "mine",
    for: "seller",
    path: () => "/api/calendar/day?jour=2026-11-16",
  },
};
