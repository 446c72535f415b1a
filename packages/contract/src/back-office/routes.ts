import { z } from "zod";
import { route } from "../common/route.ts";
import {
  cursorQuery,
  dayOnWire,
  francs,
  id,
  instantOnWire,
  may,
  mayEach,
  next_cursor,
  page as pageQuery,
  person,
  success,
  unchecked,
} from "../common/wire.ts";
import { planOnWire } from "../plans/routes.ts";
import { staffRefusals } from "../treasury/refusals.fr.ts";
import { refundOnWire } from "../refunds/routes.ts";
import { registryRefusals } from "./refusals.fr.ts";

const page = { now: instantOnWire, next_cursor };

/** The page of the back office that a row opens, by id. */
export const staffLinkOnWire = z.object({
  type: z.enum([
    "seller",
    "order",
    "payment",
    "product",
    "withdrawal",
    "group",
    "audit",
    "refund",
    "complaint",
  ]),
  id,
  label: z.string(),
});
export type StaffLinkOnWire = z.input<typeof staffLinkOnWire>;

const staffAlertOnWire = z.object({
  id,
  /** capability.what: `payment.mismatch`. */
  kind: z.string(),
  severity: z.enum(["critical", "warning", "info"]),
  /** French: what happened, and what to do about it. */
  title: z.string(),
  advice: z.string(),
  subject: z.string(),
  links: z.array(staffLinkOnWire),
  /** French labels of the facts, and values as a person reads them. */
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  created_at: instantOnWire,
  resolved_at: instantOnWire.nullable(),
  /** Null: the alert was resolved without a person. */
  resolved_by: person.nullable(),
  resolution: z.string().nullable(),
  may_resolve: may,
});
export type StaffAlertOnWire = z.input<typeof staffAlertOnWire>;
export type StaffAlert = z.output<typeof staffAlertOnWire>;

const list = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), next_cursor });

const foundOrder = z.object({
  id,
  title: z.string(),
  amount: francs,
  status: z.enum(["pending", "paid", "failed", "refunded"]),
  provider: z.string(),
  seller: person.nullable(),
  buyer: person,
  created_at: instantOnWire,
});
const foundWithdrawal = z.object({
  id,
  reference: z.string(),
  amount: francs,
  status: z.enum(["pending", "approved", "rejected", "cancelled"]),
  method: z.string(),
  phone: z.string(),
  seller: person,
  created_at: instantOnWire,
  paid_at: instantOnWire.nullable(),
});
const productFace = z.object({
  id,
  reference: z.string(),
  title: z.string(),
  price: francs,
  archived: z.boolean(),
});

/** What a search finds, by type. */
const found = {
  sellers: list(
    person.extend({
      username: z.string().nullable(),
      telegram_id: z.int(),
      type_plan: planOnWire.nullable(),
      suspended: z.boolean(),
      frozen: z.boolean(),
      closed: z.boolean(),
    }),
  ),
  orders: list(foundOrder),
  payments: list(
    z.object({
      id,
      order_id: id,
      provider: z.string(),
      provider_payment_id: z.string(),
      amount: francs,
      status: z.enum(["pending", "paid", "refused", "mismatched", "expired"]),
      created_at: instantOnWire,
    }),
  ),
  withdrawals: list(foundWithdrawal),
  products: list(productFace.extend({ seller: person, suspended: z.boolean() })),
  refunds: list(
    refundOnWire
      .pick({ id: true, order_id: true, amount: true, status: true })
      .extend({ title: z.string(), buyer: person, created_at: instantOnWire }),
  ),
};
export type SearchType = keyof typeof found;

/** A suspension or a freeze: the reason the seller reads, and the day of its next review. */
const measureOnWire = z.object({
  reason: z.string().nullable(),
  since: instantOnWire,
  review_at: instantOnWire.nullable(),
  /** Who froze the funds: the seller ("Ce n'est pas moi") or an operator. */
  by: z.enum(["seller", "operator"]),
});

const accountOnWire = z.object({ posted: francs, held: francs, available: francs });

const sellerProduct = productFace.extend({
  /** Sales of the last 30 days. */
  sales_30_days: z.int(),
  reports: z.int(),
  on_sale: z.boolean(),
  suspended: measureOnWire.nullable(),
  may: mayEach(["suspend", "resume"]),
});

export const auditRow = z.object({
  seq: id,
  at: instantOnWire,
  actor: person.nullable(),
  role: z.enum(["buyer", "seller", "agent", "operator", "system"]),
  action: z.string(),
  /** French name of the action. */
  label: z.string(),
  subject: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  reason: z.string().nullable(),
  hash: z.string(),
});
export type StaffAuditRowOnWire = z.input<typeof auditRow>;

export const sellerSheet = person.extend({
  username: z.string().nullable(),
  photo_url: z.string().nullable(),
  telegram_id: z.int(),
  display_name: z.string().nullable(),
  country: z.string().nullable(),
  whatsapp_number: z.string().nullable(),
  type_plan: planOnWire.nullable(),
  premium_until: instantOnWire.nullable(),
  since: instantOnWire,
  closed_at: instantOnWire.nullable(),
  suspended: measureOnWire.nullable(),
  frozen: measureOnWire.nullable(),
  balances: z.object({ gratuit: accountOnWire, payant: accountOnWire }),
  /** Francs advanced for the seller and not recovered; who has requested to write them off, if anybody. */
  owed: francs,
  write_off: z.object({ amount: francs, by: z.string(), since: instantOnWire }).nullable(),
  /** Francs of all `accounts` that are reserved for open requests. */
  holds: z.array(z.object({ id, reference: z.string(), amount: francs, since: instantOnWire })),
  payout: z.object({
    method: z.string().nullable(),
    phone: z.string().nullable(),
    automatic: z.boolean(),
    number_changed_at: instantOnWire.nullable(),
  }),
  sales: z.object({ count: z.int(), gross: francs, net: francs, running_accesses: z.int() }),
  last_sales: z.array(foundOrder),
  withdrawals: z.array(foundWithdrawal),
  groups: z.array(
    z.object({
      id,
      title: z.string(),
      type: z.enum(["groupe", "canal"]),
      members: z.int().nullable(),
      healthy: z.boolean(),
    }),
  ),
  products: z.array(sellerProduct),
  alerts: z.array(staffAlertOnWire),
  audit: z.array(auditRow),
  may: mayEach(["suspend", "resume", "freeze", "unfreeze", "reopen", "write-off"]),
});
export type StaffSellerOnWire = z.input<typeof sellerSheet>;

const failedJobOnWire = z.object({
  /** `job:12`, or `update:seller:77` for a Telegram update. */
  id,
  topic: z.string(),
  /** French: what the job does. */
  label: z.string(),
  /** The id of the row that the job is about. */
  ref: id,
  /** `failed`: refused, or a bug. `expired`: an outside service did not answer for too long. */
  state: z.enum(["failed", "expired"]),
  failed_at: instantOnWire,
  due_since: instantOnWire.nullable(),
  attempts: z.int(),
  outages: z.int(),
  error: z.string(),
});

const refusals = { ...staffRefusals, ...registryRefusals };

/** Newest first. */
export const listStaffAlerts = route("GET /api/desk/alerts", {
  summary: "Les alertes, avec ce qu'il faut en faire",
  access: "agent",
  query: cursorQuery.extend({
    status: z.enum(["open", "resolved", "all"]).default("open"),
    kind: z.string().max(60).optional(),
    limit: z.coerce.number().int().min(1).max(100).default(30),
  }),
  answer: success({
    ...page,
    /** Open alerts by kind, whatever the filter. */
    counts: z.array(z.object({ kind: z.string(), title: z.string(), open: z.int() })),
    alerts: z.array(staffAlertOnWire),
  }),
});

export const resolveStaffAlert = route("POST /api/desk/alerts/:id/resolve", {
  summary: "Clore une alerte, en disant ce qui a été fait",
  access: "agent",
  owns: null,
  body: z.object({ note: unchecked() }).optional(),
  answer: success({ now: instantOnWire, alert: staffAlertOnWire }),
  refusals,
  example: { body: { note: "Vu chez eux" } },
});

/**
 * Searches ids, references, provider ids, phones (last 8 digits), `@username`, Telegram ids and beginnings of
 * the words of a seller's or buyer's name. `type` and its `next_cursor` give the next page of one list.
 */
export const searchBackOffice = route("GET /api/desk/search", {
  summary:
    "Chercher vendeurs, commandes, paiements, retraits et produits : numéro, référence, nom, téléphone",
  access: "agent",
  query: z.object({
    cursor: pageQuery(1).shape.cursor,
    q: z.string().trim().max(100),
    type: z.enum(Object.keys(found) as SearchType[]).optional(),
  }),
  answer: success({ now: instantOnWire, ...found }),
  example: { query: { q: "awa" } },
});

const sheetAnswer = success({ now: instantOnWire, seller: sellerSheet });

export const readStaffSeller = route("GET /api/desk/sellers/:id", {
  summary: "La fiche d'un vendeur : soldes, ventes, retraits, produits, alertes, journal",
  access: "agent",
  owns: { id: { thing: "user", by: ["agent", "operator"] } },
  answer: sheetAnswer,
  refusals,
});

/** `review_at`: a day, 2026-12-01. */
const limiting = z.object({ reason: unchecked(), review_at: unchecked() }).optional();
const ending = z.object({ reason: unchecked() }).optional();
const measure = {
  access: "operator",
  answer: sheetAnswer,
  refusals,
  example: { body: { reason: "Vérification", review_at: "2027-06-01" } },
} as const;
const ofSeller = { ...measure, owns: { id: { thing: "user", by: ["operator"] } } } as const;
const ofProduct = { ...measure, owns: { id: { thing: "product", by: ["operator"] } } } as const;

export const suspendSeller = route("POST /api/desk/sellers/:id/suspend", {
  ...ofSeller,
  summary: "Suspendre les ventes d'un vendeur, avec un motif et une date de réexamen",
  body: limiting,
});

export const resumeSeller = route("POST /api/desk/sellers/:id/resume", {
  ...ofSeller,
  summary: "Lever la suspension d'un vendeur",
  body: ending,
});

export const freezeSeller = route("POST /api/desk/sellers/:id/freeze", {
  ...ofSeller,
  summary: "Geler les retraits d'un vendeur, avec un motif et une date de réexamen",
  body: limiting,
});

export const unfreezeSeller = route("POST /api/desk/sellers/:id/unfreeze", {
  ...ofSeller,
  summary: "Dégeler les retraits",
  body: ending,
});

export const reopenSeller = route("POST /api/desk/sellers/:id/reopen", {
  ...ofSeller,
  summary: "Rouvrir le compte qu'un vendeur avait fermé",
  body: ending,
});

export const writeOffSeller = route("POST /api/desk/sellers/:id/write-off", {
  ...ofSeller,
  summary: "Passer en perte ce que doit un vendeur : l'un demande, un autre opérateur confirme",
  body: ending,
});

export const suspendProduct = route("POST /api/desk/products/:id/suspend", {
  ...ofProduct,
  summary: "Suspendre un produit",
  body: limiting,
});

export const resumeProduct = route("POST /api/desk/products/:id/resume", {
  ...ofProduct,
  summary: "Lever la suspension d'un produit",
  body: ending,
});

/** Jobs that are not retried automatically, newest first. */
export const listStaffJobs = route("GET /api/desk/jobs", {
  summary: "Les tâches échouées ou expirées, par sujet, avec leur dernière erreur",
  access: "operator",
  query: z.object({
    topic: z.string().max(80).optional(),
    cursor: z.string().max(80).optional(),
  }),
  answer: success({
    now: instantOnWire,
    topics: z.array(
      z.object({
        topic: z.string(),
        label: z.string(),
        failed: z.int(),
        expired: z.int(),
        oldest_at: instantOnWire,
        error: z.string(),
      }),
    ),
    jobs: z.array(failedJobOnWire),
    next_cursor,
  }),
});

export const retryStaffJobs = route("POST /api/desk/jobs/retry", {
  summary: "Relancer une tâche (`id`), celles d'un sujet (`topic`) ou toutes (`all`)",
  access: "operator",
  owns: null,
  body: z.object({
    id: z.string().max(80).optional(),
    topic: z.string().max(80).optional(),
    all: z.boolean().optional(),
  }),
  answer: success({ retried: z.int(), message: z.string() }),
  example: { body: { topic: "bot.notify" } },
});

/** Newest first. */
export const listStaffAudit = route("GET /api/desk/audit", {
  summary: "Le journal d'audit et l'état de sa chaîne",
  access: "operator",
  query: pageQuery(50).extend({
    subject: z.string().max(120).optional(),
    action: z.string().max(60).optional(),
    actor: pageQuery(1).shape.cursor,
    /** Verifies the whole chain now; without it the answer is the last hourly result. */
    verify: z.enum(["1", "true"]).optional(),
  }),
  answer: success({
    now: instantOnWire,
    rows: z.array(auditRow),
    next_cursor,
    state: z.object({
      /** Null: not checked yet. */
      whole: z.boolean().nullable(),
      checked_at: instantOnWire.nullable(),
      length: z.int(),
      head: z.string(),
      problems: z.array(
        z.object({
          invariant: z.string(),
          subject: z.string(),
          expected: z.string(),
          found: z.string(),
        }),
      ),
    }),
  }),
});

/** Days in the instance's time zone, both included. */
export const exportStaffAudit = route("GET /api/desk/audit/export", {
  summary: "Le journal en CSV",
  access: "operator",
  query: z.object({ from: dayOnWire, to: dayOnWire }),
  answer: null,
  produces: "text/csv",
  refusals,
  example: { query: { from: "2026-11-01", to: "2026-11-30" } },
});

export const reportProduct = route("POST /api/reports", {
  summary: "Signaler un produit, une fois par personne et par produit",
  access: "person",
  owns: null,
  /** `motif`: scam, forbidden, no-access, other. */
  body: z.object({ reference: unchecked(), motif: unchecked(), message: unchecked() }).optional(),
  answer: success({
    /** True: the caller had reported it before; nothing changed. */
    already: z.boolean(),
    message: z.string(),
  }),
  refusals,
  example: { body: { reference: "nosuchref1", motif: "other", message: "Une copie" } },
});

/** The last call of a seller; `confirm` must be true. */
export const closeAccount = route("POST /api/users/close", {
  summary: "Fermer son compte vendeur, quand il n'y reste rien",
  access: "seller",
  owns: null,
  body: z.object({ confirm: unchecked() }).optional(),
  answer: success({ message: z.string() }),
  refusals,
  /** Without `confirm`: the example closes no account. */
  example: { body: {} },
});
