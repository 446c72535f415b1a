import { basisPoints, fcfa, fcfaToJson } from "@sesame/kernel";
import { z } from "zod";
import { KNOWN_PROVIDERS } from "../checkout/policy.ts";
import { route } from "../common/route.ts";
import { id, idOnWire, instantOnWire, next_cursor, success, told } from "../common/wire.ts";
import {
  type CollectionCosts,
  DEFAULT_SETTINGS,
  type InstanceSettings,
  type MethodSettings,
  PAYOUT_METHOD_IDS,
  type WorkingHours,
} from "./policy.ts";
import { settingsRefusals } from "./refusals.fr.ts";

const amount = z.int().nonnegative();

const workingHoursOnWire = z.object({
  /** 1 lundi … 7 dimanche. */
  days: z.array(z.int()).max(7),
  from_hour: z.int(),
  to_hour: z.int(),
});

const methodOnWire = z.object({ open: z.boolean(), min: amount, step: amount });

/** Each setting as it travels and as it is kept. Amounts in francs. */
const settingShapes = {
  /** In ten-thousandths: 1800 is 18 %. */
  fee_rates: z.object({ free: z.int(), premium: z.int() }),
  withdrawals: z.object({ min: amount, max_free: amount, max_premium: amount }),
  /** By id of B §3; what is absent stands as it is. */
  methods: z.partialRecord(z.enum(PAYOUT_METHOD_IDS), methodOnWire),
  hours: z.object({ payouts: workingHoursOnWire, support: workingHoursOnWire }),
  second_agent_from: amount,
  first_payout_max: amount,
  first_payout_second_agent_from: amount,
  unusual_factor: z.number(),
  premium: z.object({ price: amount, period_days: z.int() }),
  /** Whole francs for one Star. */
  francs_per_star: z.int(),
  stars_only: z.boolean(),
  /** Calls a minute, by provider; what is absent stands as it is. */
  provider_rates: z.partialRecord(z.enum(KNOWN_PROVIDERS), z.int()),
  /** In ten-thousandths of what is collected, by provider; what is absent stands as it is. */
  collection_costs: z.partialRecord(z.enum(KNOWN_PROVIDERS), z.int()),
  texts: z.object({
    community_url: z.string().max(300).nullable(),
    support_whatsapp: z.string().max(40).nullable(),
    support_telegram: z.string().max(64).nullable(),
  }),
} as const;

export const SETTING_KEYS = Object.keys(settingShapes) as readonly SettingWireKey[];
export type SettingWireKey = keyof typeof settingShapes;

export const settingsOnWire = z.object(settingShapes);
export type SettingsOnWire = z.input<typeof settingsOnWire>;

const ofOperator = { access: "operator", owns: null, example: {} } as const;

const settings = {
  ...ofOperator,
  answer: success({ settings: settingsOnWire, defaults: settingsOnWire, version: z.string() }),
} as const;

export const readDeskSettings = route("GET /api/desk/settings", {
  summary: "Les réglages en vigueur et leurs défauts",
  ...settings,
});

/**
 * The settings named change, whole; the others stand. `version` is of the answer the change was made
 * from: refused when somebody changed something since.
 */
export const changeDeskSettings = route("PUT /api/desk/settings", {
  summary: "Changer des réglages : frais, limites, horaires, seuils, liens",
  ...settings,
  body: z.object({
    changes: z.strictObject(settingsOnWire.partial().shape),
    reason: z.string().max(500).optional(),
    version: z.string().max(20).optional(),
  }),
  refusals: settingsRefusals,
  example: { body: { changes: { stars_only: false }, reason: "Fin de l'essai" } },
});

export const settingChangeOnWire = z.object({
  id,
  key: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  reason: z.string().nullable(),
  changed_at: instantOnWire,
  changed_by: id,
  /** First and last name. */
  changed_by_name: z.string(),
});

/** Newest first. */
export const listSettingChanges = route("GET /api/desk/settings/history", {
  summary: "Chaque changement d'un réglage : qui, quand, avant, après",
  ...ofOperator,
  query: z.object({ key: z.string().max(40).optional(), cursor: idOnWire.optional() }),
  answer: success({ changes: z.array(settingChangeOnWire), next_cursor }),
});

/** One line of the list sellers choose from; products keep the minutes they were given. */
export const deskDurationOnWire = z.object({
  id,
  minutes: z.int(),
  label: z.string(),
  description: z.string(),
  /** In percent; advice to the seller. */
  discount: z.int(),
  price_tier: z.enum(["premium", "standard", "basic", "test"]),
  active: z.boolean(),
  /** Products on sale with this many minutes. */
  products: z.int(),
});
export type DeskDurationOnWire = z.input<typeof deskDurationOnWire>;

/** All of them, shortest first. */
const durations = {
  ...ofOperator,
  answer: success({ durations: z.array(deskDurationOnWire) }),
} as const;

export const listDeskDurations = route("GET /api/desk/settings/durations", {
  summary: "Les durées proposées aux vendeurs",
  ...durations,
});

const tier = z.enum(["premium", "standard", "basic"]);
/** Each has a sentence of its own. */
const fields = { label: told(), description: told(), discount: told() };

export const addDeskDuration = route("POST /api/desk/settings/durations", {
  summary: "Ajouter une durée",
  ...durations,
  body: z.object({ minutes: told(), ...fields, price_tier: tier.default("standard") }),
  refusals: settingsRefusals,
  example: { body: { minutes: 20_160, label: "2 semaines", description: "", discount: 0 } },
});

/** What is absent stands; minutes never change. */
export const editDeskDuration = route("PUT /api/desk/settings/durations/:id", {
  summary: "Renommer, décrire, activer ou désactiver une durée ; les produits gardent la leur",
  ...durations,
  body: z.object({ ...fields, price_tier: tier.optional(), active: z.boolean().optional() }),
  refusals: settingsRefusals,
  example: { params: { id: "999999999" }, body: { label: "Deux semaines" } },
});

function settingsToWire(settings: InstanceSettings): SettingsOnWire {
  const { withdrawals, hours, texts } = settings;
  const methods = PAYOUT_METHOD_IDS.map((id) => [id, methodToWire(settings.methods[id])] as const);
  return {
    fee_rates: { free: settings.feeRates.free, premium: settings.feeRates.premium },
    withdrawals: {
      min: fcfaToJson(withdrawals.min),
      max_free: fcfaToJson(withdrawals.maxFree),
      max_premium: fcfaToJson(withdrawals.maxPremium),
    },
    methods: Object.fromEntries(methods),
    hours: { payouts: hoursToWire(hours.payouts), support: hoursToWire(hours.support) },
    second_agent_from: fcfaToJson(settings.secondAgentFrom),
    first_payout_max: fcfaToJson(settings.firstPayoutMax),
    first_payout_second_agent_from: fcfaToJson(settings.firstPayoutSecondAgentFrom),
    unusual_factor: settings.unusualFactor,
    premium: {
      price: fcfaToJson(settings.premium.price),
      period_days: settings.premium.periodDays,
    },
    francs_per_star: settings.francsPerStar,
    stars_only: settings.starsOnly,
    provider_rates: { ...settings.providerRates },
    collection_costs: { ...settings.collectionCosts },
    texts: {
      community_url: texts.communityUrl,
      support_whatsapp: texts.supportWhatsapp,
      support_telegram: texts.supportTelegram,
    },
  };
}

export const DEFAULTS_ON_WIRE = settingsToWire(DEFAULT_SETTINGS);

/** A method left out stands at its default. */
export function settingsFromWire(wire: SettingsOnWire): InstanceSettings {
  const { fee_rates: rates, withdrawals, hours, texts } = wire;
  const methods = PAYOUT_METHOD_IDS.map((id) => {
    const method = wire.methods[id];
    return [id, method ? methodFromWire(method) : DEFAULT_SETTINGS.methods[id]] as const;
  });
  return {
    feeRates: { free: basisPoints(rates.free), premium: basisPoints(rates.premium) },
    withdrawals: {
      min: fcfa(withdrawals.min),
      maxFree: fcfa(withdrawals.max_free),
      maxPremium: fcfa(withdrawals.max_premium),
    },
    methods: Object.fromEntries(methods) as InstanceSettings["methods"],
    hours: { payouts: hoursFromWire(hours.payouts), support: hoursFromWire(hours.support) },
    secondAgentFrom: fcfa(wire.second_agent_from),
    firstPayoutMax: fcfa(wire.first_payout_max),
    firstPayoutSecondAgentFrom: fcfa(wire.first_payout_second_agent_from),
    unusualFactor: wire.unusual_factor,
    premium: { price: fcfa(wire.premium.price), periodDays: wire.premium.period_days },
    francsPerStar: wire.francs_per_star,
    starsOnly: wire.stars_only,
    providerRates: { ...DEFAULT_SETTINGS.providerRates, ...wire.provider_rates },
    collectionCosts: costsFromWire(wire),
    texts: {
      communityUrl: texts.community_url,
      supportWhatsapp: texts.support_whatsapp,
      supportTelegram: texts.support_telegram,
    },
  };
}

function costsFromWire({ collection_costs: told }: SettingsOnWire): CollectionCosts {
  const costs = KNOWN_PROVIDERS.map((provider) => [provider, basisPoints(told[provider] ?? 0)]);
  return Object.fromEntries(costs) as CollectionCosts;
}

type HoursOnWire = z.input<typeof workingHoursOnWire>;
type MethodOnWire = z.input<typeof methodOnWire>;

function hoursToWire({ days, fromHour, toHour }: WorkingHours): HoursOnWire {
  return { days: [...days], from_hour: fromHour, to_hour: toHour };
}

function hoursFromWire(wire: HoursOnWire): WorkingHours {
  return { days: wire.days, fromHour: wire.from_hour, toHour: wire.to_hour };
}

function methodToWire({ open, min, step }: MethodSettings): MethodOnWire {
  return { open, min: fcfaToJson(min), step: fcfaToJson(step) };
}

function methodFromWire({ open, min, step }: MethodOnWire): MethodSettings {
  return { open, min: fcfa(min), step: fcfa(step) };
}
