import type { Owned, Row } from "./authorization.table.ts";
import type { CallOptions } from "./http-call.ts";

const NOBODY = "999999999";

const ticket = (act: string): Owned => ({
  own: (stage) => `/api/support/tickets/${stage.ticket.id}${act}`,
  absent: `/api/support/tickets/${NOBODY}${act}`,
  owners: ["seller"],
});
const deskTicket = (act: string, options?: CallOptions): Row => ({
  kind: "owned",
  for: "agent",
  own: (stage) => `/api/desk/tickets/${stage.ticket.id}${act}`,
  absent: `/api/desk/tickets/${NOBODY}${act}`,
  owners: ["agent", "operator"],
  ...(options ? { options } : {}),
});
const saying = { body: { message: "Bonjour à vous" } };

/** Help, and personal data: rows of the table of who may call what. */
export const SUPPORT_ROWS: Readonly<Record<string, Row>> = {
  "GET /confidentialite": { kind: "open" },
  "GET /conditions": { kind: "open" },
  "GET /api/support/faq": { kind: "open" },
  "GET /api/support": { kind: "mine", for: "seller" },
  "GET /api/support/tickets": { kind: "mine", for: "seller" },
  "POST /api/support/tickets": {
    kind: "mine",
    for: "seller",
    options: { body: { sujet: "other", message: "Bonjour, j'ai une question." } },
  },
  "GET /api/support/tickets/:id": { kind: "owned", for: "seller", ...ticket("") },
  "POST /api/support/tickets/:id/messages": {
    kind: "owned",
    for: "seller",
    options: saying,
    ...ticket("/messages"),
  },
  "POST /api/support/tickets/:id/read": { kind: "owned", for: "seller", ...ticket("/read") },
  "POST /api/support/tickets/:id/close": { kind: "owned", for: "seller", ...ticket("/close") },
  "GET /api/desk/tickets": { kind: "mine", for: "agent" },
  "GET /api/desk/tickets/:id": deskTicket(""),
  "POST /api/desk/tickets/:id/answer": deskTicket("/answer", saying),
  "POST /api/desk/tickets/:id/close": deskTicket("/close"),
  "GET /api/me/export": { kind: "mine", for: "person" },
  // Without its confirmation: the persons are needed further on.
  "POST /api/me/delete": { kind: "mine", for: "person", options: { body: {} } },
};
