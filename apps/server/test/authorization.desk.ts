import type { Row, Stage } from "./authorization.table.ts";

/** Agents see every request; to everybody else the door is shut. */
const request = (act: string): Row => ({
  kind: "mine",
  for: "agent",
  options: { body: {} },
  path: (stage: Stage) => `/api/desk/withdrawals/${stage.withdrawal.id}/${act}`,
});

/** What agents do with a seller's request. */
export const DESK_ROWS: Readonly<Record<string, Row>> = {
  "GET /api/desk": { kind: "mine", for: "agent" },
  "GET /api/desk/withdrawals": { kind: "mine", for: "agent" },
  "GET /api/desk/withdrawals/:id": {
    kind: "owned",
    for: "agent",
    own: (stage) => `/api/desk/withdrawals/${stage.withdrawal.id}`,
    absent: "/api/desk/withdrawals/999999999",
    owners: ["agent", "operator"],
  },
  "POST /api/desk/withdrawals/:id/claim": request("claim"),
  "POST /api/desk/withdrawals/:id/approve": request("approve"),
  "POST /api/desk/withdrawals/:id/paid": request("paid"),
  "POST /api/desk/withdrawals/:id/failed": request("failed"),
  "POST /api/desk/withdrawals/:id/reject": request("reject"),
  "POST /api/desk/withdrawals/:id/resolve": request("resolve"),
  // Free again, or its seller could not cancel it afterwards.
  "POST /api/desk/withdrawals/:id/release": request("release"),
};
