import { z } from "zod";
import { instantOnWire } from "../common/wire.ts";
import { PAYOUT_METHOD_IDS } from "../settings/policy.ts";
import { REFUND_LANES } from "./policy.ts";

/** Of any type: what is wrong with it has its own sentence. */
const told = (description: string) => z.unknown().optional().meta({ description });

export const refundStatusOnWire = z.enum(["en_cours", "numero_attendu", "a_payer", "rembourse"]);
export type RefundStatusOnWire = z.input<typeof refundStatusOnWire>;

/** Money on its way back to a buyer, as the buyer and the seller see it. Francs. */
export const refundOnWire = z.object({
  id: z.string(),
  order_id: z.string(),
  amount: z.int(),
  status: refundStatusOnWire,
  /** French. */
  status_label: z.string(),
  lane: z.enum(REFUND_LANES),
  /** Collected by the seller's own account: none of it is ours. */
  direct: z.boolean(),
  /** Of a second payment for an order that was paid already: the order stays. */
  surplus: z.boolean(),
  /** Why, as both read it. */
  motif: z.string(),
  date_creation: instantOnWire,
  date_remboursement: instantOnWire.nullable(),
  /** Where the money is sent by hand: a method of the fifteen, its French name, the number. */
  methode: z.enum(PAYOUT_METHOD_IDS).nullable(),
  methode_nom: z.string().nullable(),
  /** Masked for the seller, unless it is he who sends the money. */
  numero: z.string().nullable(),
  reference_operateur: z.string().nullable(),
});
export type RefundOnWire = z.input<typeof refundOnWire>;

export const refundBody = z.object({ motif: told("Pourquoi : l'acheteur le lit") });
export const refundNumberBody = z.object({
  methode: told("Une des quinze méthodes : orange-money-ci…"),
  numero: told("Le numéro qui reçoit l'argent, national ou international"),
});
export const givenBackBody = z.object({
  reference: told("La référence de l'envoi : elle le prouve, une seule fois"),
});

export const refundAnswer = z.object({
  success: z.literal(true),
  message: z.string(),
  refund: refundOnWire,
});
export type RefundAnswer = z.input<typeof refundAnswer>;
