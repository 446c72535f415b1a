import { z } from "zod";
import { instantOnWire } from "../common/wire.ts";
import { dayOnWire } from "../common/wire.ts";
import { TRANSACTION_STATUSES } from "./wire.ts";

/** How much of each kind falls on a day; days without anything are left out. */
const calendarDayOnWire = z.object({
  jour: dayOnWire,
  expirations: z.int(),
  renouvellements: z.int(),
  retraits: z.int(),
});
export type CalendarDayOnWire = z.input<typeof calendarDayOnWire>;

export const calendarAnswer = z.object({
  success: z.literal(true),
  mois: z.string(),
  /** Today, in the instance's zone. */
  aujourdhui: dayOnWire,
  jours: z.array(calendarDayOnWire),
});
export type CalendarAnswer = z.input<typeof calendarAnswer>;

/** A person's access ends, or ended: `passee`. */
const expiryOnWire = z.object({
  type: z.literal("expiration"),
  id: z.string(),
  date: instantOnWire,
  nomClient: z.string(),
  produitNom: z.string(),
  idProduit: z.string(),
  passee: z.boolean(),
});

/** A sale that prolonged an access. */
const renewalOnWire = z.object({
  type: z.literal("renouvellement"),
  id: z.string(),
  date: instantOnWire,
  nomClient: z.string(),
  produitNom: z.string(),
  idProduit: z.string(),
  montant: z.int(),
});

/** A withdrawal on the day it was asked for. */
const payoutOnWire = z.object({
  type: z.literal("retrait"),
  id: z.string(),
  date: instantOnWire,
  montant: z.int(),
  status: z.enum(TRANSACTION_STATUSES),
  reference_transaction: z.string(),
  automatique: z.boolean(),
});

/** When the next automatic payout is asked for; its amount is what is available then. */
const nextPayoutOnWire = z.object({
  type: z.literal("retrait_automatique"),
  id: z.string(),
  date: instantOnWire,
});

export const calendarEventOnWire = z.discriminatedUnion("type", [
  expiryOnWire,
  renewalOnWire,
  payoutOnWire,
  nextPayoutOnWire,
]);
export type CalendarEventOnWire = z.input<typeof calendarEventOnWire>;

/** At most 200 of each kind, by their time; the rest is counted. */
export const calendarDayAnswer = z.object({
  success: z.literal(true),
  jour: dayOnWire,
  evenements: z.array(calendarEventOnWire),
  /** Not among them. */
  autres: z.int(),
});
export type CalendarDayAnswer = z.input<typeof calendarDayAnswer>;
