import { z } from "zod";
import { cursorQuery, instantOnWire } from "../common/wire.ts";
import { PAYOUT_STATUSES } from "../payouts/policy.ts";
import { planOnWire } from "../plans/routes.ts";
import { type DeskAction, LANES, QUEUE_VIEWS, REJECT_CODES, RISK_SIGNS, STAGES } from "./policy.ts";

const statusOnWire = z.enum(["pending", "approved", "rejected", "cancelled"]);
const laneOnWire = z.enum(LANES);
const may = z.object({ allowed: z.boolean(), reason: z.string().nullable() });
const person = z.object({ id: z.string(), name: z.string() });

/** A lane of the instance; `reason` (French) says why it is closed. */
export const deskLaneOnWire = z.object({
  id: laneOnWire,
  label: z.string(),
  open: z.boolean(),
  reason: z.string().nullable(),
});
export type DeskLaneOnWire = z.input<typeof deskLaneOnWire>;

/** Who I am, what waits, and the words of the desk. */
export const deskAnswer = z.object({
  success: z.literal(true),
  me: person.extend({ agent: z.boolean(), operator: z.boolean() }),
  now: instantOnWire,
  /** Of payouts: whether the desk is within its working hours, and its hours in French. */
  hours: z.object({ open: z.boolean(), label: z.string() }),
  counts: z.object({
    pending: z.int(),
    premium: z.int(),
    late: z.int(),
    /** Taken by me. */
    mine: z.int(),
    second_agent: z.int(),
    /** Approved and under way: by hand to pay, or sent by a provider. */
    to_pay: z.int(),
    uncertain: z.int(),
    alerts: z.int(),
    /** Of reconciliation, open. */
    differences: z.int(),
    /** Refunds for an agent to send, and claims the operator must decide. */
    refunds_to_pay: z.int(),
    claims_operator: z.int(),
    /** Sellers' requests for help that wait. */
    tickets: z.int(),
  }),
  lanes: z.array(deskLaneOnWire),
  methods: z.array(z.object({ id: z.string(), label: z.string(), country: z.string() })),
  reject_reasons: z.array(
    z.object({ code: z.enum(REJECT_CODES), label: z.string(), sentence: z.string().nullable() }),
  ),
  /** Francs from which two agents approve. */
  second_agent_from: z.int(),
  claim_minutes: z.int(),
});
export type DeskAnswer = z.input<typeof deskAnswer>;

/** The money sent, as the desk follows it. */
export const deskPayoutOnWire = z.object({
  id: z.string(),
  lane: laneOnWire,
  status: z.enum(PAYOUT_STATUSES),
  /** French name of the status. */
  status_label: z.string(),
  /** Ours, as the provider knows it. */
  reference: z.string(),
  provider_payout_id: z.string().nullable(),
  operator_reference: z.string().nullable(),
  /** The provider's last word. */
  word: z.string().nullable(),
  failure: z.string().nullable(),
  /** The provider's, in francs. */
  cost: z.int(),
  by: person.nullable(),
  created_at: instantOnWire,
  submitted_at: instantOnWire.nullable(),
  settled_at: instantOnWire.nullable(),
  check_at: instantOnWire.nullable(),
  checks: z.int(),
});
export type DeskPayoutOnWire = z.input<typeof deskPayoutOnWire>;

/** One line of the queue. Amounts in francs. */
export const deskWithdrawalOnWire = z.object({
  id: z.string(),
  reference: z.string(),
  amount: z.int(),
  method: z.string(),
  method_label: z.string(),
  operator: z.string(),
  country: z.string(),
  /** E.164, and as it is read aloud. */
  phone: z.string(),
  phone_label: z.string(),
  whatsapp: z.string(),
  status: statusOnWire,
  stage: z.enum(STAGES),
  type_plan: planOnWire,
  automatic: z.boolean(),
  seller: person.extend({ username: z.string().nullable(), photo_url: z.string().nullable() }),
  created_at: instantOnWire,
  age_minutes: z.int(),
  /** Promised by then. */
  due_at: instantOnWire,
  late: z.boolean(),
  /** Working minutes to the deadline, or since it when late; null once decided. */
  working_minutes_left: z.int().nullable(),
  /** A live claim. */
  claim: z
    .object({ by: person, mine: z.boolean(), until: instantOnWire, seconds_left: z.int() })
    .nullable(),
  first_approval: z.object({ by: person, at: instantOnWire, lane: laneOnWire }).nullable(),
  needs_second_agent: z.boolean(),
  /** Who must act next, beyond the agent who has it. */
  waiting: z.enum(["second-agent"]).nullable(),
  /** `explanation` has the figures: "5 × la médiane de ses retraits (4 000 FCFA)". */
  risks: z.array(
    z.object({ code: z.enum(RISK_SIGNS), label: z.string(), explanation: z.string() }),
  ),
  /** The lane and state of its payout; null before approval. */
  payout: z
    .object({
      lane: laneOnWire,
      status: deskPayoutOnWire.shape.status,
      status_label: z.string(),
      operator_reference: z.string().nullable(),
    })
    .nullable(),
  reject_reason: z.string().nullable(),
  decided_at: instantOnWire.nullable(),
  paid_at: instantOnWire.nullable(),
  /** The caller asked for it himself: he may only look. */
  own: z.boolean(),
  /** What the caller may do now; `reason` (French) says why not. */
  may: z.object({
    claim: may,
    release: may,
    approve: may,
    reject: may,
    paid: may,
    failed: may,
    resolve: may,
  } satisfies Record<DeskAction, typeof may>),
});
export type DeskWithdrawalOnWire = z.input<typeof deskWithdrawalOnWire>;

/**
 * Views of work (`pending`, `to-pay`, `uncertain`): premium first, then by deadline; the others: the
 * last first.
 */
export const deskQueueQuery = cursorQuery.extend({
  status: z.enum(QUEUE_VIEWS).default("pending"),
  method: z.string().max(40).optional(),
  /** CI, SENEGAL, BENIN, TOGO, MALI, BURKINA. */
  country: z.string().max(20).optional(),
  plan: planOnWire.optional(),
  lane: laneOnWire.optional(),
  /** Only those past their deadline. */
  late: z.enum(["1", "true"]).optional(),
  /** Only those taken by the caller. */
  mine: z.enum(["1", "true"]).optional(),
  /** A reference, a number, an amount or a seller's name. */
  q: z.string().trim().max(80).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(30),
});
export type DeskQueueQuery = z.input<typeof deskQueueQuery>;

export const deskQueueAnswer = z.object({
  success: z.literal(true),
  now: instantOnWire,
  withdrawals: z.array(deskWithdrawalOnWire),
  next_cursor: z.string().nullable(),
});
export type DeskQueueAnswer = z.input<typeof deskQueueAnswer>;

/** What the desk knows of the seller who asks. Amounts in francs. */
const sellerHistoryOnWire = z.object({
  since: instantOnWire,
  telegram_id: z.int(),
  country: z.string().nullable(),
  available: z.int(),
  held: z.int(),
  sales: z.object({
    count: z.int(),
    gross: z.int(),
    net: z.int(),
    last_30_days: z.int(),
    refunds: z.int(),
  }),
  /** Of payouts: `success_percent` null while none is over. */
  payouts: z.object({
    paid: z.int(),
    paid_amount: z.int(),
    median_amount: z.int().nullable(),
    failed: z.int(),
    rejected: z.int(),
    success_percent: z.int().nullable(),
  }),
  last_withdrawals: z.array(
    z.object({
      id: z.string(),
      reference: z.string(),
      amount: z.int(),
      method_label: z.string(),
      phone_label: z.string(),
      stage: z.enum(STAGES),
      created_at: instantOnWire,
      /** The same number as this request's. */
      same_number: z.boolean(),
    }),
  ),
  frozen: z.object({ reason: z.string().nullable(), at: instantOnWire }).nullable(),
  suspended: z.object({ reason: z.string().nullable(), at: instantOnWire }).nullable(),
});

export const deskWithdrawalDetail = deskWithdrawalOnWire.extend({
  history: sellerHistoryOnWire,
  /** Lanes for this request; `reason` (French) when one cannot serve it. */
  lanes: z.array(deskLaneOnWire),
  /** All payouts tried, the last first. */
  payouts: z.array(deskPayoutOnWire),
  /** Who did what with it, the last first. */
  trace: z.array(
    z.object({
      at: instantOnWire,
      label: z.string(),
      by: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ),
  /** Opens WhatsApp with the request's words (decision 96); null when the number is unusable. */
  whatsapp_url: z.string().nullable(),
});
export type DeskWithdrawalDetail = z.input<typeof deskWithdrawalDetail>;

export const deskWithdrawalAnswer = z.object({
  success: z.literal(true),
  now: instantOnWire,
  withdrawal: deskWithdrawalDetail,
});
export type DeskWithdrawalAnswer = z.input<typeof deskWithdrawalAnswer>;

/**
 * Answer of every decision: `message` is French, `waiting` names who must act next, `withdrawal` is
 * as it stands after it.
 */
export const deskDecisionAnswer = z.object({
  success: z.literal(true),
  now: instantOnWire,
  status: statusOnWire,
  waiting: z.enum(["second-agent"]).nullable(),
  message: z.string(),
  withdrawal: deskWithdrawalDetail,
});
export type DeskDecisionAnswer = z.input<typeof deskDecisionAnswer>;
