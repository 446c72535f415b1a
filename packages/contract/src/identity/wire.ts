import { z } from "zod";
import { channelOnWire } from "../groups/routes.ts";
import { instantOnWire } from "../common/wire.ts";
import { productOnWire } from "../catalogue/wire.ts";
import { CAPABILITIES } from "../plans/policy.ts";
import { planOnWire, premiumStateOnWire } from "../plans/wire.ts";
import { transactionOnWire, vendorSubscriptionOnWire } from "../reports/wire.ts";
import { payoutFieldsOnWire, withdrawalOnWire } from "../withdrawals/wire.ts";

/** The proof a web view holds of who opened it, exactly as Telegram gave it. */
export const INIT_DATA_HEADER = "x-telegram-init-data";

/** The seller, as himself sees it (A §3, B §3). */
export const userOnWire = z.object({
  id: z.string(),
  telegram_id: z.int(),
  username: z.string().nullable(),
  /** First and last name from Telegram, unless the seller gave a display name. */
  nom: z.string(),
  display_name: z.string().nullable(),
  country: z.string().nullable(),
  photo_url: z.string().nullable(),
  /** Onboarding seen. */
  deja: z.boolean(),
  /** A plan was chosen. */
  plan: z.boolean(),
  type_plan: planOnWire,
  /** The end of what was paid; while `grace` it has passed, and premium goes on for 7 days. */
  premium_until: instantOnWire.nullable(),
  premium_state: premiumStateOnWire,
  /** What the server lets this seller use: tiles and pages read it (decision 10). */
  capabilities: z.array(z.enum(CAPABILITIES)),
  /** Groups on sale at the same time; null without limit. */
  groups_max: z.int().nullable(),
  /** Posted balances. */
  balanceGratuit: z.int(),
  balancePayant: z.int(),
  /** What the account of the current plan can spend: posted less held. */
  soldeDisponible: z.int(),
  /**
   * Net francs of the last seven days, oldest first, today included. Absent from what a phone kept
   * before they were told.
   */
  revenus_semaine: z.array(z.int()).optional(),
  ...payoutFieldsOnWire.shape,
  whatsapp_number: z.string().nullable(),
  /** Further roles of the same person (decision 23). */
  agent: z.boolean(),
  operator: z.boolean(),
  created_at: instantOnWire,
  updated_at: instantOnWire,
});
export type UserOnWire = z.input<typeof userOnWire>;

/** What home shows beyond the seller, his groups, products and withdrawals. */
const homeOnWire = z.object({
  /** The four newest sales (B §9). */
  transactions: z.array(transactionOnWire),
  /** Claims that wait for his answer. */
  claims_waiting: z.int(),
});

export const sellerSignInAnswer = z.object({
  success: z.literal(true),
  token: z.string(),
  user: userOnWire,
  channels: z.array(channelOnWire),
  products: z.array(productOnWire),
  /** The most recent ones; `GET /api/subscriptions` has them all. */
  vendorSubscriptions: z.array(vendorSubscriptionOnWire),
  /** The most recent ones; `GET /api/users/retrait/mes-demandes` has them all. */
  withdrawalRequests: z.array(withdrawalOnWire),
  /** The rest of home, so that the start paints all of it. */
  accueil: homeOnWire,
});
export type SellerSignInAnswer = z.input<typeof sellerSignInAnswer>;

export const buyerOnWire = z.object({
  id: z.string(),
  telegram_id: z.int(),
  username: z.string().nullable(),
  nom: z.string(),
  first_name: z.string(),
  last_name: z.string().nullable(),
  photo_url: z.string().nullable(),
  /** The bot may write to the person: the status page asks for it otherwise (decision 100). */
  can_be_written_to: z.boolean(),
  /** Further roles of the same person: they open the desk (decision 23). */
  agent: z.boolean(),
  operator: z.boolean(),
});
export type BuyerOnWire = z.input<typeof buyerOnWire>;

export const buyerSignInAnswer = z.object({
  success: z.literal(true),
  token: z.string(),
  user: buyerOnWire,
});
export type BuyerSignInAnswer = z.input<typeof buyerSignInAnswer>;

export const userAnswer = z.object({ success: z.literal(true), user: userOnWire });
export type UserAnswer = z.input<typeof userAnswer>;

/** 1 beside true (A §3, B §3). */
const flag = z
  .union([z.boolean(), z.literal(0), z.literal(1)])
  .transform((value) => value === true || value === 1);

/** Profile, `deja`, the choice of the free plan (decision 5). */
export const userUpdate = z.object({
  display_name: z.string().trim().max(64).nullish(),
  /** A §3's name of the same field. */
  nom: z.string().trim().max(130).nullish(),
  /** ISO 3166-1 alpha-2: "CI". */
  country: z.union([z.string().regex(/^[A-Z]{2}$/), z.literal("")]).nullish(),
  /** International form: "+225…"; empty clears it. */
  whatsapp_number: z.union([z.string().regex(/^\+?[0-9 ]{6,20}$/), z.literal("")]).nullish(),
  deja: flag.optional(),
  plan: flag.optional(),
  type_plan: z.unknown().optional(),
});
export type UserUpdate = z.input<typeof userUpdate>;
