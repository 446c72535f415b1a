import type { Row } from "./authorization.table.ts";

/** A group that is taken back: a stranger's try answers as for a group that does not exist. */
export const OWNERSHIP_ROWS: Readonly<Record<string, Row>> = {
  "GET /api/channels/reclaimable": { kind: "mine", for: "seller" },
  "POST /api/channels/:id/reclaim": {
    kind: "owned",
    for: "seller",
    own: (stage) => `/api/channels/${stage.group.id}/reclaim`,
    absent: "/api/channels/999999999/reclaim",
    owners: ["seller"],
  },
};
