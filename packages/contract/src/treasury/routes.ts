import { z } from "zod";
import { registryRefusals } from "../back-office/refusals.fr.ts";
import { staffLinkOnWire } from "../back-office/routes.ts";
import { type Owned, route } from "../common/route.ts";
import {
  cursorQuery,
  francs,
  id,
  instantOnWire,
  next_cursor,
  success,
  uncheckedFields,
  may,
  mayEach,
  person,
  dayOnWire,
  page,
  traceEntry,
} from "../common/wire.ts";
import { planOnWire } from "../plans/routes.ts";
import { WITHDRAWAL_STATUSES } from "../withdrawals/policy.ts";
import * as policy from "./policy.ts";
import { staffRefusals } from "./refusals.fr.ts";

const statusOnWire = z.enum(WITHDRAWAL_STATUSES);
const railOnWire = z.enum(policy.PAYOUT_RAILS);

/** A payout rail; `reason` (French) explains why it is closed. */
const staffRailOnWire = z.object({
  id: railOnWire,
  label: z.string(),
  open: z.boolean(),
  reason: z.string().nullable(),
});

/** One payout, for the back office. */
const staffPayoutOnWire = z.object({
  id,
  rail: railOnWire,
  status: z.enum(policy.PAYOUT_STATUSES),
  /** French name of the status. */
  status_label: z.string(),
  /** Our reference at the provider. */
  reference: z.string(),
  provider_payout_id: z.string().nullable(),
  operator_reference: z.string().nullable(),
  /** The last status that the provider reported, in its own word. */
  word: z.string().nullable(),
  failure: z.string().nullable(),
  /** The provider's fee, in francs. */
  cost: francs,
  by: person.nullable(),
  created_at: instantOnWire,
  submitted_at: instantOnWire.nullable(),
  settled_at: instantOnWire.nullable(),
  check_at: instantOnWire.nullable(),
  checks: z.int(),
});

/** One line of the queue. Amounts in francs. */
const staffWithdrawalOnWire = z.object({
  id,
  reference: z.string(),
  amount: francs,
  method: z.string(),
  method_label: z.string(),
  operator: z.string(),
  country: z.string(),
  /** E.164, and in groups as people read it aloud. */
  phone: z.string(),
  phone_label: z.string(),
  whatsapp: z.string(),
  status: statusOnWire,
  stage: z.enum(policy.STAGES),
  type_plan: planOnWire,
  automatic: z.boolean(),
  seller: person.extend({ username: z.string().nullable(), photo_url: z.string().nullable() }),
  created_at: instantOnWire,
  age_minutes: z.int(),
  /** The deadline promised to the seller. */
  due_at: instantOnWire,
  late: z.boolean(),
  /** Working minutes to the deadline, or since it when late; null once decided. */
  working_minutes_left: z.int().nullable(),
  /** The current assignment. */
  assignment: z
    .object({ by: person, mine: z.boolean(), until: instantOnWire, seconds_left: z.int() })
    .nullable(),
  first_approval: z.object({ by: person, at: instantOnWire, rail: railOnWire }).nullable(),
  needs_second_agent: z.boolean(),
  /** Who must act next, other than the assigned agent. */
  waiting: z.enum(["second-agent"]).nullable(),
  /** `explanation` contains the figures: "5 × la médiane de ses retraits (4 000 FCFA)". */
  risks: z.array(
    z.object({ code: z.enum(policy.RISK_SIGNS), label: z.string(), explanation: z.string() }),
  ),
  /** The rail and state of its payout; null before approval. */
  payout: staffPayoutOnWire
    .pick({ rail: true, status: true, status_label: true, operator_reference: true })
    .nullable(),
  reject_reason: z.string().nullable(),
  decided_at: instantOnWire.nullable(),
  paid_at: instantOnWire.nullable(),
  /** The caller requested it as a seller: reading only. */
  own: z.boolean(),
  /** What the caller may do now; `reason` (French) explains why not. */
  may: mayEach(policy.STAFF_ACTIONS),
});
export type StaffWithdrawalOnWire = z.input<typeof staffWithdrawalOnWire>;

/** The history of the seller, for staff. Amounts in francs. */
const sellerHistoryOnWire = z.object({
  since: instantOnWire,
  telegram_id: z.int(),
  country: z.string().nullable(),
  available: francs,
  held: francs,
  sales: z.object({
    count: z.int(),
    gross: francs,
    net: francs,
    last_30_days: francs,
    refunds: z.int(),
  }),
  /** `success_percent` is null while no payout is over. */
  payouts: z.object({
    paid: z.int(),
    paid_amount: francs,
    median_amount: francs.nullable(),
    failed: z.int(),
    rejected: z.int(),
    success_percent: z.int().nullable(),
  }),
  last_withdrawals: z.array(
    z.object({
      id,
      reference: z.string(),
      amount: francs,
      method_label: z.string(),
      phone_label: z.string(),
      stage: z.enum(policy.STAGES),
      created_at: instantOnWire,
      same_number: z.boolean(),
    }),
  ),
  frozen: z.object({ reason: z.string().nullable(), at: instantOnWire }).nullable(),
  suspended: z.object({ reason: z.string().nullable(), at: instantOnWire }).nullable(),
});

export const staffWithdrawalDetail = staffWithdrawalOnWire.extend({
  history: sellerHistoryOnWire,
  /** Rails for this request; `reason` (French) explains why one cannot send it. */
  rails: z.array(staffRailOnWire),
  /** All payouts of the request, newest first. */
  payouts: z.array(staffPayoutOnWire),
  /** Who did what with the request, newest first. */
  trace: z.array(traceEntry),
  /** Opens WhatsApp with the request's words (decision 96); null when the number is unusable. */
  whatsapp_url: z.string().nullable(),
});
export type StaffWithdrawalDetail = z.input<typeof staffWithdrawalDetail>;

const withdrawal: Owned = { thing: "withdrawal", by: ["agent", "operator"] };

export const readBackOffice = route("GET /api/desk", {
  summary: "Le bureau des agents : ce qui attend, les voies d'envoi ouvertes, les raisons de rejet",
  access: "agent",
  answer: success({
    me: person.extend({ agent: z.boolean(), operator: z.boolean() }),
    now: instantOnWire,
    /** Whether now is within the working hours for payouts, and these hours in French. */
    hours: z.object({ open: z.boolean(), label: z.string() }),
    counts: z.object({
      pending: z.int(),
      premium: z.int(),
      late: z.int(),
      /** Assigned to the caller. */
      mine: z.int(),
      second_agent: z.int(),
      /** Approved and not over: to pay by hand, or sent by a provider. */
      to_pay: z.int(),
      uncertain: z.int(),
      alerts: z.int(),
      /** Open differences of the reconciliation. */
      differences: z.int(),
      /** Refunds that an agent must send, and complaints that the operator must decide. */
      refunds_to_pay: z.int(),
      complaints_operator: z.int(),
      /** Sellers' open support tickets. */
      tickets: z.int(),
    }),
    rails: z.array(staffRailOnWire),
    methods: z.array(z.object({ id, label: z.string(), country: z.string() })),
    reject_reasons: z.array(
      z.object({
        code: z.enum(policy.REJECT_CODES),
        label: z.string(),
        sentence: z.string().nullable(),
      }),
    ),
    /** Francs from which on two agents approve. */
    second_agent_from: francs,
    assignment_minutes: z.int(),
  }),
});

export const listStaffWithdrawals = route("GET /api/desk/withdrawals", {
  summary: "Les demandes de retrait : Premium d'abord, puis par échéance ; filtres et recherche",
  access: "agent",
  query: cursorQuery.extend({
    status: z.enum(policy.QUEUE_VIEWS).default("pending"),
    method: z.string().max(40).optional(),
    /** CI, SENEGAL, BENIN, TOGO, MALI, BURKINA. */
    country: z.string().max(20).optional(),
    plan: planOnWire.optional(),
    rail: railOnWire.optional(),
    /** Only requests past their deadline. */
    late: z.enum(["1", "true"]).optional(),
    /** Only requests assigned to the caller. */
    mine: z.enum(["1", "true"]).optional(),
    /** Searches a reference, a number, an amount or a seller's name. */
    q: z.string().trim().max(80).optional(),
    limit: z.coerce.number().int().min(1).max(100).default(30),
  }),
  answer: success({
    now: instantOnWire,
    withdrawals: z.array(staffWithdrawalOnWire),
    next_cursor,
  }),
});

export const readStaffWithdrawal = route("GET /api/desk/withdrawals/:id", {
  summary: "Une demande : vendeur, historique, signes de risque, voies possibles, trace de l'envoi",
  access: "agent",
  owns: { id: withdrawal },
  answer: success({ now: instantOnWire, withdrawal: staffWithdrawalDetail }),
  refusals: staffRefusals,
});

const decision = {
  access: "agent",
  owns: { id: withdrawal },
  answer: success({
    now: instantOnWire,
    status: statusOnWire,
    waiting: z.enum(["second-agent"]).nullable(),
    message: z.string(),
    withdrawal: staffWithdrawalDetail,
  }),
  refusals: staffRefusals,
  repeatable: true,
} as const;

export const assignWithdrawal = route("POST /api/desk/withdrawals/:id/assign", {
  ...decision,
  summary: "Prendre une demande pendant 15 minutes",
});

export const approveWithdrawal = route("POST /api/desk/withdrawals/:id/approve", {
  ...decision,
  summary:
    "Approuver : par un prestataire ou à la main ; au-delà d'un seuil, un second agent confirme",
  /** `reference`: for a payment by hand that was already made. */
  body: uncheckedFields("rail", "reference"),
  example: { body: { rail: "manual" } },
});

export const noteWithdrawalPaid = route("POST /api/desk/withdrawals/:id/paid", {
  ...decision,
  summary: "Payé à la main, avec la référence de l'opérateur",
  body: uncheckedFields("reference"),
  example: { body: { reference: "MP1.23" } },
});

/** The seller reads the reason. */
export const noteWithdrawalFailed = route("POST /api/desk/withdrawals/:id/failed", {
  ...decision,
  summary: "L'envoi n'a pas pu être fait : le solde du vendeur est rétabli",
  body: uncheckedFields("reason"),
  example: { body: { reason: "Plafond atteint" } },
});

/** Required with the code `other`; with any other code `reason` replaces its sentence. */
export const rejectWithdrawal = route("POST /api/desk/withdrawals/:id/reject", {
  ...decision,
  summary: "Rejeter, avec une raison que le vendeur lit",
  body: uncheckedFields("reason_code", "reason"),
  example: { body: { reason_code: "suspicious" } },
});

/**
 * For an uncertain payout: `sent` (with the operator's reference if known), `not-sent`, or `link`
 * with the provider's id, which is then looked up. For a received payout, by an operator: `returned`,
 * with the operator's reference of the returned money.
 */
export const resolveWithdrawal = route("POST /api/desk/withdrawals/:id/resolve", {
  ...decision,
  summary: "Trancher un envoi incertain : parti, pas parti, ou rattaché au paiement du prestataire",
  body: uncheckedFields("outcome", "provider_payout_id", "reference", "reason"),
  example: { body: { outcome: "sent", reason: "Vu chez eux" } },
});

export const releaseWithdrawal = route("POST /api/desk/withdrawals/:id/release", {
  ...decision,
  summary: "Relâcher une demande prise",
});

/** Money in or out of a cash float, or a remark about it. Francs; in > 0. */
const movementOnWire = z.object({
  at: instantOnWire,
  kind: z.enum(["payout", "top-up", "withdrawal", "other"]),
  label: z.string(),
  amount: francs,
  /** The operator's reference, or the agent's remark. */
  reference: z.string().nullable(),
  withdrawal: z.object({ id, reference: z.string() }).nullable(),
  by: person.nullable(),
});

/** A count, never changed once written: another count corrects it. */
const closeOnWire = z.object({
  id,
  expected: francs,
  counted: francs,
  /** counted − expected. */
  difference: francs,
  explanation: z.string().nullable(),
  closed_at: instantOnWire,
  closed_by: person,
  /** The close this one corrects. */
  corrects: id.nullable(),
});

/**
 * One cash float on one day: of a payout method (`float:orange-money-ci`), or our balance at a
 * provider (`provider:moneroo`). In francs.
 */
export const cashFloat = z.object({
  account: z.string(),
  kind: z.enum(["float", "provider"]),
  label: z.string(),
  method: z.string().nullable(),
  operator: z.string().nullable(),
  country: z.string().nullable(),
  /** The last count of the cash float, with which the day opens. */
  opening: francs,
  opened_on: dayOnWire.nullable(),
  in: francs,
  out: francs,
  /** Part of `out`: the provider's fees for collections, payouts and chargebacks. */
  costs: francs,
  /** By the ledger: opening + in − out. */
  expected: francs,
  /** All movements of a float, oldest first; for a provider only our payouts. */
  movements: z.array(movementOnWire),
  /** True: some movements are not in the list. */
  more: z.boolean(),
  status: z.enum(["open", "closed", "covered"]),
  /** The count of this day, and its corrections. */
  closes: z.array(closeOnWire),
  /** Whether the caller may count it now; `reason` (French) explains why not. */
  may_close: may,
  may_correct: may,
});
export type CashFloatOnWire = z.input<typeof cashFloat>;

const facts = z.array(z.object({ label: z.string(), value: z.string() }));

/** The last reconciliation with a provider, of payouts or of payments. */
export const runOnWire = z.object({
  id,
  provider: z.string(),
  what: z.enum(["payouts", "payments"]),
  started_at: instantOnWire,
  finished_at: instantOnWire.nullable(),
  /** False: the provider has no list, so entries that only the provider has are not found. */
  by_list: z.boolean(),
  compared: z.int(),
  differences: z.int(),
  /** It stopped early; the next run starts from the beginning. */
  stopped: z.boolean(),
});

export const difference = z.object({
  id,
  provider: z.string(),
  what: z.enum(["payouts", "payments"]),
  kind: z.string(),
  /** French name of the kind. */
  label: z.string(),
  subject: z.string(),
  ours: facts.nullable(),
  theirs: facts.nullable(),
  first_seen_at: instantOnWire,
  last_seen_at: instantOnWire,
  /** When a later run no longer found it. */
  gone_at: instantOnWire.nullable(),
  links: z.array(staffLinkOnWire),
});
export type StaffDifferenceOnWire = z.input<typeof difference>;

const refusals = { ...staffRefusals, ...registryRefusals };

/** Without `date`: today in the instance's time zone. */
export const readStaffDay = route("GET /api/desk/day", {
  summary: "La journée : chaque caisse, ses mouvements et son solde d'après les écritures",
  access: "agent",
  query: z.object({ date: dayOnWire.optional() }),
  answer: success({
    now: instantOnWire,
    date: dayOnWire,
    today: dayOnWire,
    zone: z.string(),
    floats: z.array(cashFloat),
  }),
});

export const exportStaffDay = route("GET /api/desk/day/export", {
  summary: "La journée en CSV",
  access: "agent",
  query: z.object({ date: dayOnWire }),
  answer: null,
  produces: "text/csv",
  example: { query: { date: "2026-11-16" } },
});

const counting = {
  access: "agent",
  owns: null,
  /**
   * `counted` in francs, read on the operator's phone. `explanation`: required when the count
   * differs from the ledger, and for every correction.
   */
  body: uncheckedFields("date", "account", "counted", "explanation").optional(),
  answer: success({ now: instantOnWire, cash_float: cashFloat }),
  refusals,
  repeatable: true,
  example: {
    body: {
      date: "2026-11-16",
      account: "float:orange-money-ci",
      counted: 48_500,
      explanation: "Frais de dépôt",
    },
  },
} as const;

export const closeStaffDay = route("POST /api/desk/day/close", {
  ...counting,
  summary: "Clore une caisse : le solde compté, l'écart et son explication",
});

export const correctStaffDay = route("POST /api/desk/day/correct", {
  ...counting,
  summary: "Corriger une clôture par une nouvelle ligne",
});

/**
 * `direction`: into the cash float (`in`), or out of it. `other`: the other side of the move:
 * another cash float, or `treasury` (bank, cash).
 */
export const moveStaffMoney = route("POST /api/desk/day/moves", {
  ...counting,
  summary: "Argent mis dans une caisse ou sorti d'elle, à la main",
  body: uncheckedFields("account", "direction", "amount", "other", "reference").optional(),
  example: {
    body: {
      account: "float:orange-money-ci",
      direction: "in",
      amount: 50_000,
      other: "treasury",
      reference: "D-17",
    },
  },
});

/** The newest differences first. */
export const listReconciliations = route("GET /api/desk/reconciliations", {
  summary: "Rapprochements : ce que disent les prestataires et ce que disent nos écritures",
  access: "agent",
  query: page(30)
    .pick({ cursor: true })
    .extend({ status: z.enum(["open", "gone", "all"]).default("open") }),
  answer: success({
    now: instantOnWire,
    runs: z.array(runOnWire),
    differences: z.array(difference),
    next_cursor,
  }),
});

export const askReconciliation = route("POST /api/desk/reconciliations", {
  summary: "Demander un rapprochement",
  access: "agent",
  answer: success({ message: z.string() }),
});
