import type { CallOptions } from "./http-call.ts";

/** What the rows name: see `Stage` of the table. */
type Names = {
  readonly seller: { readonly id: string };
  readonly product: { readonly id: string };
};

type Audience = "person" | "seller" | "agent" | "operator";

const NOBODY = "999999999";
const ALL_OF_THE_DESK = ["agent", "operator"] as const;

const mine = (audience: Audience, options?: CallOptions) =>
  ({ kind: "mine", for: audience, ...(options ? { options } : {}) }) as const;

const at = (audience: Audience, path: (names: Names) => string, options?: CallOptions) =>
  ({ ...mine(audience, options), path }) as const;

const measure = { body: { reason: "Vérification", review_at: "2027-06-01" } };
const seller = (act: string) =>
  at("operator", (names) => `/api/desk/sellers/${names.seller.id}/${act}`, measure);
const product = (act: string) =>
  at("operator", (names) => `/api/desk/products/${names.product.id}/${act}`, measure);

/** The desk beside withdrawals: rows of the table of who may call what. */
export const REGISTRY_ROWS = {
  "GET /api/desk/alerts": mine("agent"),
  "POST /api/desk/alerts/:id/resolve": at("agent", () => `/api/desk/alerts/${NOBODY}/resolve`, {
    body: { note: "Vu" },
  }),
  "GET /api/desk/search": at("agent", () => "/api/desk/search?q=awa"),
  "GET /api/desk/sellers/:id": {
    kind: "owned",
    for: "agent",
    own: (names: Names) => `/api/desk/sellers/${names.seller.id}`,
    absent: `/api/desk/sellers/${NOBODY}`,
    owners: ALL_OF_THE_DESK,
  },
  "POST /api/desk/sellers/:id/suspend": seller("suspend"),
  "POST /api/desk/sellers/:id/resume": seller("resume"),
  "POST /api/desk/sellers/:id/freeze": seller("freeze"),
  "POST /api/desk/sellers/:id/unfreeze": seller("unfreeze"),
  "POST /api/desk/sellers/:id/reopen": seller("reopen"),
  "POST /api/desk/sellers/:id/write-off": seller("write-off"),
  "POST /api/desk/products/:id/suspend": product("suspend"),
  "POST /api/desk/products/:id/resume": product("resume"),
  "GET /api/desk/day": mine("agent"),
  "GET /api/desk/day/export": at("agent", () => "/api/desk/day/export?date=2026-11-16"),
  "POST /api/desk/day/close": mine("agent", { body: {} }),
  "POST /api/desk/day/correct": mine("agent", { body: {} }),
  "POST /api/desk/day/moves": mine("agent", { body: {} }),
  "GET /api/desk/reconciliations": mine("agent"),
  "POST /api/desk/reconciliations": mine("agent"),
  "GET /api/desk/jobs": mine("operator"),
  "POST /api/desk/jobs/retry": mine("operator", { body: { id: "job:999999999" } }),
  "GET /api/desk/settings": mine("operator"),
  "PUT /api/desk/settings": mine("operator", { body: { changes: {} } }),
  "GET /api/desk/settings/history": mine("operator"),
  "GET /api/desk/settings/durations": mine("operator"),
  "POST /api/desk/settings/durations": mine("operator", { body: {} }),
  "PUT /api/desk/settings/durations/:id": at(
    "operator",
    () => `/api/desk/settings/durations/${NOBODY}`,
    { body: {} },
  ),
  "GET /api/desk/audit": mine("operator"),
  "GET /api/desk/audit/export": at(
    "operator",
    () => "/api/desk/audit/export?from=2026-11-01&to=2026-11-30",
  ),
  "POST /api/reports": mine("person", { body: { reference: "nosuchref1" } }),
  // Without its confirmation: the matrix goes on with the accounts.
  "POST /api/users/close": mine("seller", { body: {} }),
} as const;
