import type { Owned, Row } from "./authorization.table.ts";

const group = (path: (id: string) => string): Owned => ({
  own: (stage) => path(stage.group.id),
  absent: path("999999999"),
  owners: ["seller"],
});

/** One group or channel of a seller's. */
export const GROUPS_ROWS: Readonly<Record<string, Row>> = {
  "GET /api/channels/:id": {
    kind: "owned",
    for: "seller",
    ...group((id) => `/api/channels/${id}`),
  },
  "POST /api/channels/:id/refresh": {
    kind: "owned",
    for: "seller",
    ...group((id) => `/api/channels/${id}/refresh`),
  },
  "POST /api/channels/:id/close-member-adds": {
    kind: "owned",
    for: "seller",
    ...group((id) => `/api/channels/${id}/close-member-adds`),
  },
  "PUT /api/channels/:id/entry-rules": {
    kind: "owned",
    for: "seller",
    options: { body: { remove_added: true } },
    ...group((id) => `/api/channels/${id}/entry-rules`),
  },
};
