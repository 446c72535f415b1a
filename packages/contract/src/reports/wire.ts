import { z } from "zod";
import { cursorQuery, idOnWire, instantOnWire } from "../common/wire.ts";

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
});
export type TransactionOnWire = z.infer<typeof transactionOnWire>;

export const transactionsQuery = cursorQuery.extend({
  limit: z.coerce.number().int().min(1).max(100).optional(),
});

/** GET /api/transactions?cursor=&limit=: newest first. */
export const transactionsAnswer = z.object({
  success: z.literal(true),
  transactions: z.array(transactionOnWire),
  next_cursor: z.string().nullable(),
});
export type TransactionsAnswer = z.infer<typeof transactionsAnswer>;

/** A vendor subscription (A §3, B §3): one paid order, new or renewal (decision 89). */
export const vendorSubscriptionOnWire = z.object({
  id: z.string(),
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
});
export type VendorSubscriptionOnWire = z.infer<typeof vendorSubscriptionOnWire>;

export const subscriptionsQuery = cursorQuery.extend({
  product: idOnWire.optional(),
  limit: z.coerce.number().int().min(1).max(100).optional(),
});

/** GET /api/subscriptions?product=&cursor=&limit=: newest first; `total` counts all of them. */
export const subscriptionsAnswer = z.object({
  success: z.literal(true),
  subscriptions: z.array(vendorSubscriptionOnWire),
  total: z.number().int(),
  next_cursor: z.string().nullable(),
});
export type SubscriptionsAnswer = z.infer<typeof subscriptionsAnswer>;
