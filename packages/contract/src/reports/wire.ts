import { z } from "zod";
import { cursorQuery, instantOnWire } from "../common/wire.ts";

/**
 * B §4 and decision 73: `success` Complété, `pending` En attente, `failed` Échec, `refunded`
 * Remboursé, `cancelled` Annulé.
 */
export const TRANSACTION_STATUSES = [
  "success",
  "pending",
  "failed",
  "refunded",
  "cancelled",
] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/** One item of the dashboard and of the history (B §3). Amounts in francs, duration in minutes. */
export const transactionOnWire = z.object({
  id: z.string(),
  /** What the buyer pays. */
  amount: z.number().int(),
  /** What the seller receives, and what the platform keeps; they add up to `amount`. */
  net: z.number().int(),
  frais: z.number().int(),
  type: z.literal("income"),
  date: instantOnWire,
  status: z.enum(TRANSACTION_STATUSES),
  duration: z.number().int(),
  idProduit: z.string(),
  produitNom: z.string(),
  idClient: z.string(),
  nomClient: z.string(),
  renouvellement: z.enum(["Renouvellement", "Nouveau"]),
  /** Collected by the seller's own account: never in his balance. */
  direct: z.boolean(),
});
export type TransactionOnWire = z.input<typeof transactionOnWire>;

/**
 * Of a sale, of money that left to the seller, of money that came back to his balance, of a balance
 * that followed his plan.
 */
export const HISTORY_TYPES = ["income", "payout", "return", "transfer"] as const;
export type HistoryType = (typeof HISTORY_TYPES)[number];

/**
 * The seller's money going out, beside his sales. `payout`: `pending` until it is received,
 * `success` then, `failed` once rejected, `cancelled`. `return`: francs that had left and came back.
 * `transfer`: from the balance of one plan to that of the other; he has as much as before.
 */
export const movementOnWire = z.object({
  /** Told from a sale's: "w45", "r45", "t1". */
  id: z.string(),
  type: z.enum(["payout", "return", "transfer"]),
  amount: z.number().int(),
  net: z.number().int(),
  frais: z.number().int(),
  date: instantOnWire,
  status: z.enum(TRANSACTION_STATUSES),
  /** The withdrawal's id; of a transfer this and what follows of a withdrawal is empty. */
  demande: z.string(),
  reference_transaction: z.string(),
  methode_paiement: z.string(),
  /** Of a transfer, from where to where: "Solde gratuit → Solde Premium". */
  methode_nom: z.string(),
  operateur: z.string(),
  /** E.164. */
  numero_transfert: z.string(),
  /** Why it was rejected, as the seller reads it. */
  motif: z.string().nullable(),
});
export type MovementOnWire = z.input<typeof movementOnWire>;

export const historyItemOnWire = z.discriminatedUnion("type", [transactionOnWire, movementOnWire]);
export type HistoryItemOnWire = z.input<typeof historyItemOnWire>;

/** B §9; "week" begins on Sunday. In the instance's zone. */
export const HISTORY_PERIODS = ["today", "week", "month"] as const;
export type HistoryPeriod = (typeof HISTORY_PERIODS)[number];

export const transactionsQuery = cursorQuery.extend({
  limit: z.coerce.number().int().min(1).max(100).optional(),
  /** In names of buyers and products, references, numbers. */
  q: z.string().max(100).optional(),
  periode: z.enum(HISTORY_PERIODS).optional(),
  statut: z.enum(TRANSACTION_STATUSES).optional(),
  /** Absent: sales alone; `all`: sales, payouts and returns together. */
  type: z.enum(["all", ...HISTORY_TYPES]).optional(),
});

export type TransactionsQuery = z.output<typeof transactionsQuery>;

/** Newest first. */
export const transactionsAnswer = z.object({
  success: z.literal(true),
  transactions: z.array(historyItemOnWire),
  next_cursor: z.string().nullable(),
});
export type TransactionsAnswer = z.input<typeof transactionsAnswer>;

/** A vendor subscription (A §3, B §3): one paid order, new or renewal (decision 89). */
export const vendorSubscriptionOnWire = z.object({
  id: z.string(),
  /** Empty for a donation, as is `group_id`: it has no group. */
  groupId: z.string(),
  group_id: z.string(),
  idProduit: z.string(),
  /** The product's title when it was sold. */
  typeAbonnement: z.string(),
  prix: z.number().int(),
  net: z.number().int(),
  dateCreation: instantOnWire,
  /** When the access it opened or extended ends. */
  dateRenouvellement: instantOnWire.nullable(),
  userId: z.string(),
  nomClient: z.string(),
  estRenouvellement: z.boolean(),
  /** False once refunded. */
  valide: z.boolean(),
  /** Collected by the seller's own account. */
  direct: z.boolean(),
});
export type VendorSubscriptionOnWire = z.input<typeof vendorSubscriptionOnWire>;

/** Newest first; `total` counts all of them. */
export const subscriptionsAnswer = z.object({
  success: z.literal(true),
  subscriptions: z.array(vendorSubscriptionOnWire),
  total: z.number().int(),
  next_cursor: z.string().nullable(),
});
export type SubscriptionsAnswer = z.input<typeof subscriptionsAnswer>;
