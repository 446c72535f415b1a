import { z } from "zod";
import { ORDER_KINDS, ORDER_STATUSES } from "../checkout/policy.ts";
import { complaintOnWire } from "../cases/routes.ts";
import { route } from "../common/route.ts";
import {
  francs,
  id,
  instantOnWire,
  next_cursor,
  optionalBody,
  page,
  success,
  unchecked,
  may,
  person,
  traceEntry,
} from "../common/wire.ts";
import { staffRefusals } from "../treasury/refusals.fr.ts";
import { PAYOUT_METHOD_IDS } from "../withdrawals/methods.fr.ts";
import { withdrawalsRefusals } from "../withdrawals/refusals.fr.ts";
import { REFUND_KINDS, REFUND_RAILS, type RefundStatus } from "./policy.ts";
import { refundsRefusals } from "./refusals.fr.ts";

/** A refund for its buyer and its seller. */
export const refundOnWire = z.object({
  id,
  order_id: id,
  amount: francs,
  status: z.enum(["en_cours", "numero_attendu", "a_payer", "rembourse"]),
  /** French. */
  status_label: z.string(),
  rail: z.enum(REFUND_RAILS),
  /** Collected by the seller's own account: the platform holds none of it. */
  direct: z.boolean(),
  /** The refund of a second payment of a paid order: the order stays paid. */
  overpayment: z.boolean(),
  /** The reason, for both. */
  motif: z.string(),
  date_creation: instantOnWire,
  date_remboursement: instantOnWire.nullable(),
  /** Where the money is sent by hand: a payout method, its French name, the number. */
  methode: z.enum(PAYOUT_METHOD_IDS).nullable(),
  methode_nom: z.string().nullable(),
  /** Masked for a seller, unless the seller sends the money. */
  numero: z.string().nullable(),
  reference_operateur: z.string().nullable(),
});
export type RefundOnWire = z.input<typeof refundOnWire>;
export type RefundStatusOnWire = RefundOnWire["status"];

/** The wire's word of a status. */
export const REFUND_STATUS_WORDS: Readonly<Record<RefundStatus, RefundStatusOnWire>> = {
  sending: "en_cours",
  "needs-number": "numero_attendu",
  "to-pay": "a_payer",
  done: "rembourse",
};

const buyer = person.extend({ username: z.string().nullable(), telegram_id: z.int() });

/** A refund in the back office, with the whole number. */
export const staffRefundOnWire = refundOnWire.extend({
  kind: z.enum(REFUND_KINDS),
  title: z.string(),
  /** Who collected the payment. */
  provider: z.string(),
  provider_name: z.string(),
  provider_payment_id: z.string(),
  buyer,
  seller: person.nullable(),
  /** French: « Vendeur », « Opérateur », « Sésame » (a second payment). */
  asked_by: z.string(),
  /** The part of the amount that the platform advanced for the seller. */
  advanced: francs,
  /** The number in groups, as people read it aloud. */
  numero_label: z.string().nullable(),
  /** On the provider's rail: the number of calls, and the time of the next. */
  checks: z.int(),
  check_at: instantOnWire.nullable(),
  paid_by: z.string().nullable(),
  /** For a chargeback: the fee that the provider kept. */
  provider_fee: francs,
  /** An agent's assignment, for a quarter of an hour. */
  taken: z.object({ by: person, mine: z.boolean(), until: instantOnWire }).nullable(),
  may: z.object({ take: may, paid: may, number: may, returned: may, fee: may }),
});
export type StaffRefundOnWire = z.input<typeof staffRefundOnWire>;

/** Everything about one order. */
export const staffOrderOnWire = z.object({
  id,
  kind: z.enum(ORDER_KINDS),
  kind_label: z.string(),
  status: z.enum(ORDER_STATUSES),
  status_label: z.string(),
  title: z.string(),
  amount: francs,
  fee: francs,
  net: francs,
  currency: z.literal("XOF"),
  /** Minutes. */
  duration: z.int(),
  direct: z.boolean(),
  is_renewal: z.boolean(),
  provider: z.string(),
  provider_name: z.string(),
  buyer,
  seller: person.nullable(),
  product_id: id.nullable(),
  group: z.object({ name: z.string(), type: z.enum(["groupe", "canal"]) }).nullable(),
  created_at: instantOnWire,
  paid_at: instantOnWire.nullable(),
  access_until: instantOnWire.nullable(),
  /** The buyer's membership of the group now. */
  access: z
    .object({
      status: z.string(),
      status_label: z.string(),
      ends_at: instantOnWire,
      joined_at: instantOnWire.nullable(),
    })
    .nullable(),
  payments: z.array(
    z.object({
      id,
      provider: z.string(),
      provider_name: z.string(),
      /** Paid with the seller's own keys. */
      own: z.boolean(),
      status: z.string(),
      status_label: z.string(),
      amount: francs,
      reference: z.string(),
      provider_payment_id: z.string(),
      transaction_id: z.string().nullable(),
      /** The amount in the provider's currency: "7,62 EUR". */
      quote_label: z.string().nullable(),
      /** Francs of it on the suspense account. */
      suspended: francs,
      /** The amount received of a mismatched payment; null: unknown. */
      received: francs.nullable(),
      /** Whether the caller may decide about the payment. */
      may_decide: z.boolean(),
      created_at: instantOnWire,
      decided_at: instantOnWire.nullable(),
    }),
  ),
  refunds: z.array(staffRefundOnWire),
  /** Newest first, with their whole record. */
  complaints: z.array(complaintOnWire),
  /** Ledger lines of the order, in their order; `label` is the French name of the account. */
  lines: z.array(
    z.object({ at: instantOnWire, transfer: z.string(), label: z.string(), amount: francs }),
  ),
  /** What staff did with the order, newest first. */
  trace: z.array(traceEntry),
  /** What the seller of a sale can spend now: the platform would advance what is missing from `net`. */
  seller_available: francs.nullable(),
  /** The provider reported a chargeback of the payment, or of a part; its alert is open. */
  taken_back: z.boolean(),
  may: z.object({ refund: may }),
});
export type StaffOrderOnWire = z.input<typeof staffOrderOnWire>;

const refusals = { ...refundsRefusals, ...staffRefusals };
const ofParties = {
  answer: success({ message: z.string(), refund: refundOnWire }),
  repeatable: true,
} as const;

/** Refunds the whole price (decision 83). */
export const refundSale = route("POST /api/orders/:id/refund", {
  ...ofParties,
  summary: "Rendre une de ses ventes : tout le prix, commission comprise ; l'accès prend fin",
  access: "seller",
  owns: { id: { thing: "sale", by: ["seller"] } },
  body: z.object({ motif: unchecked("Pourquoi : l'acheteur le lit") }).optional(),
  refusals: refundsRefusals,
  example: { body: { motif: "Erreur" } },
});

export const giveRefundNumber = route("POST /api/orders/:id/refund-number", {
  ...ofParties,
  summary: "Dire à quel numéro un agent envoie le remboursement",
  access: "person",
  owns: { id: { thing: "sale", by: ["buyer"] } },
  body: optionalBody({
    methode: unchecked("Une des quinze méthodes : orange-money-ci…"),
    numero: unchecked("Le numéro qui reçoit l'argent, national ou international"),
  }),
  refusals: { ...refundsRefusals, ...withdrawalsRefusals },
  example: { body: { methode: "orange-money-ci", numero: "0701020304" } },
});

export const noteGivenBack = route("POST /api/refunds/:id/given-back", {
  ...ofParties,
  summary: "Noter qu'on a rendu soi-même une vente encaissée directement",
  access: "seller",
  owns: { id: { thing: "refund", by: ["seller"] } },
  body: optionalBody({
    reference: unchecked("La référence de l'envoi : elle le prouve, une seule fois"),
  }),
  refusals,
  example: { body: { reference: "MP1.24" } },
});

const { cursor, limit } = page(30).shape;

/** Open ones oldest first, those to pay first; done ones newest first. */
export const listStaffRefunds = route("GET /api/desk/refunds", {
  summary: "Les remboursements : à envoyer d'abord, puis ceux en route ; ou les terminés",
  access: "agent",
  query: z.object({ cursor, view: z.enum(["open", "done"]).default("open"), limit }),
  answer: success({
    now: instantOnWire,
    refunds: z.array(staffRefundOnWire),
    /** Open refunds, whatever the view: those an agent must pay, and all. */
    counts: z.object({ to_pay: z.int(), open: z.int() }),
    next_cursor,
  }),
});

/** `refund` is the state after the call. */
const byAgent = {
  access: "agent",
  owns: { id: { thing: "refund", by: ["agent", "operator"] } },
  answer: success({ now: instantOnWire, message: z.string(), refund: staffRefundOnWire }),
  refusals,
  repeatable: true,
} as const;
const byOperator = {
  ...byAgent,
  access: "operator",
  owns: { id: { thing: "refund", by: ["operator"] } },
} as const;

export const takeRefund = route("POST /api/desk/refunds/:id/take", {
  ...byAgent,
  summary: "Prendre en main un remboursement pendant 15 minutes",
});

export const noteRefundPaid = route("POST /api/desk/refunds/:id/paid", {
  ...byAgent,
  summary: "Envoyé à la main : la référence de l'opérateur le prouve, une seule fois",
  body: z.object({ reference: unchecked() }).optional(),
  example: { body: { reference: "MP1.25" } },
});

/** The buyer reads the reason. */
export const refuseRefundNumber = route("POST /api/desk/refunds/:id/wrong-number", {
  ...byAgent,
  summary: "L'opérateur refuse le numéro : l'acheteur en donne un autre",
  body: z.object({ reason: unchecked() }).optional(),
  example: { body: { reason: "Inconnu" } },
});

export const noteRefundReturned = route("POST /api/desk/refunds/:id/returned", {
  ...byOperator,
  summary: "Terminer sans rien envoyer un remboursement que le prestataire dit avoir déjà rendu",
});

export const noteProviderFee = route("POST /api/desk/refunds/:id/fee", {
  ...byOperator,
  summary: "Noter, une fois, ce que le prestataire a retenu pour un paiement repris",
  body: z.object({ montant: unchecked() }).optional(),
  example: { body: { montant: 2_000 } },
});

const sheet = success({ now: instantOnWire, order: staffOrderOnWire });
const onSheet = {
  access: "operator",
  answer: sheet.extend({ message: z.string() }),
  refusals,
  repeatable: true,
} as const;

export const readStaffOrder = route("GET /api/desk/orders/:id", {
  summary: "La fiche d'une commande : paiements, accès, remboursements, réclamations, écritures",
  access: "agent",
  owns: { id: { thing: "order", by: ["agent", "operator"] } },
  answer: sheet,
  refusals,
});

/** The platform advances what the seller lacks (decision 83). */
export const refundStaffOrder = route("POST /api/desk/orders/:id/refund", {
  ...onSheet,
  summary: "Rembourser une commande ; ce qui manque au vendeur est avancé, puis repris",
  owns: { id: { thing: "order", by: ["operator"] } },
  body: z.object({ reason: unchecked() }).optional(),
  example: { body: { reason: "Erreur" } },
});

/**
 * `outcome`: honour, give-back or returned; `montant`: the amount received in francs, where the
 * provider did not report it.
 */
export const decidePayment = route("POST /api/desk/payments/:id/decide", {
  ...onSheet,
  owns: null,
  summary:
    "Dire ce que devient un paiement qui ne correspond pas à la commande : l'honorer, le rendre, ou noter qu'il l'est déjà",
  body: z.object({ outcome: unchecked(), montant: unchecked(), reason: unchecked() }).optional(),
  example: { body: { outcome: "returned", reason: "Vu chez eux" } },
});
