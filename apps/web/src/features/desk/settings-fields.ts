import { KNOWN_PROVIDERS, PAYMENT_PROVIDERS } from "@sesame/contract/checkout";
import type { SettingsOnWire } from "@sesame/contract/settings";
import { formatFcfa } from "../../lib/format.ts";
import type { AnswerOf } from "@sesame/contract/routes";
import { readFrancs } from "./day-number.ts";

export type SettingsAnswer = AnswerOf<"GET /api/desk/settings">;
import { settingsCopy as copy } from "./operator-messages.fr.ts";

/** What a field holds: whole francs, whole days, a share in ten-thousandths, a factor, or words. */
type Unit = "francs" | "percent" | "factor" | "days" | "calls" | "text";

export type FieldSpec = {
  readonly label: string;
  readonly unit: Unit;
  readonly hint?: string;
  read(settings: SettingsOnWire): number | string | null;
  /** The change it makes; each setting travels whole. */
  write(settings: SettingsOnWire, value: number | string | null): Partial<SettingsOnWire>;
};

export type GroupSpec = {
  readonly title: string;
  readonly fields: readonly FieldSpec[];
};

type NumberKey = {
  [K in keyof SettingsOnWire]: SettingsOnWire[K] extends number ? K : never;
}[keyof SettingsOnWire];

function single(key: NumberKey, label: string, unit: Unit): FieldSpec {
  return {
    label,
    unit,
    read: (settings) => settings[key],
    write: (_, value) => ({ [key]: value }),
  };
}

function part<
  K extends
    | "fee_rates"
    | "withdrawals"
    | "premium"
    | "provider_rates"
    | "collection_costs"
    | "texts",
>(
  key: K,
  name: keyof SettingsOnWire[K],
  look: { label: string; unit: Unit; hint?: string },
): FieldSpec {
  return {
    ...look,
    read: (settings) => settings[key][name] as number | string | null,
    write: (settings, value) => ({ [key]: { ...settings[key], [name]: value } }),
  };
}

const { fields, groups } = copy;

export const GROUPS: readonly GroupSpec[] = [
  {
    title: groups.fees,
    fields: [
      part("fee_rates", "free", {
        label: fields.freeRate,
        unit: "percent",
        hint: copy.feesHint,
      }),
      part("fee_rates", "premium", { label: fields.premiumRate, unit: "percent" }),
    ],
  },
  {
    title: groups.premium,
    fields: [
      part("premium", "price", {
        label: fields.premiumPrice,
        unit: "francs",
        hint: copy.premiumHint,
      }),
      part("premium", "period_days", { label: fields.premiumDays, unit: "days" }),
    ],
  },
  {
    title: groups.stars,
    fields: [
      {
        ...single("francs_per_star", fields.francsPerStar, "francs"),
        hint: copy.starHint,
      },
    ],
  },
  {
    title: groups.withdrawals,
    fields: [
      part("withdrawals", "min", { label: fields.min, unit: "francs" }),
      part("withdrawals", "max_free", { label: fields.maxFree, unit: "francs" }),
      part("withdrawals", "max_premium", { label: fields.maxPremium, unit: "francs" }),
      single("first_payout_max", fields.firstPayoutMax, "francs"),
    ],
  },
  {
    title: groups.checks,
    fields: [
      single("second_agent_from", fields.secondAgentFrom, "francs"),
      single("first_payout_second_agent_from", fields.firstPayoutSecondAgentFrom, "francs"),
      single("unusual_factor", fields.unusualFactor, "factor"),
    ],
  },
  {
    title: groups.providerRates,
    fields: KNOWN_PROVIDERS.map((provider, index) =>
      part("provider_rates", provider, {
        label: PAYMENT_PROVIDERS[provider].name,
        unit: "calls",
        ...(index === 0 ? { hint: copy.ratesHint } : {}),
      }),
    ),
  },
  {
    title: groups.collectionCosts,
    fields: KNOWN_PROVIDERS.map((provider, index) =>
      part("collection_costs", provider, {
        label: PAYMENT_PROVIDERS[provider].name,
        unit: "percent",
        ...(index === 0 ? { hint: copy.costsHint } : {}),
      }),
    ),
  },
  {
    title: groups.texts,
    fields: [
      part("texts", "community_url", { label: fields.communityUrl, unit: "text" }),
      part("texts", "support_whatsapp", { label: fields.supportWhatsapp, unit: "text" }),
      part("texts", "support_telegram", { label: fields.supportTelegram, unit: "text" }),
    ],
  },
];

/** As it is read. */
export function sayValue(unit: Unit, value: number | string | null): string {
  if (value === null || value === "") return copy.instance;
  if (typeof value === "string") return value;
  if (unit === "francs") return formatFcfa(value);
  if (unit === "days") return copy.daysCount(value);
  if (unit === "calls") return copy.callsCount(value);
  if (unit === "percent") return copy.percent(decimal(value / 100));
  return copy.times(decimal(value));
}

/** As it is typed. */
export function typeValue(unit: Unit, value: number | string | null): string {
  if (value === null) return "";
  if (typeof value === "string") return value;
  return unit === "percent" ? decimal(value / 100) : decimal(value);
}

export type Typed =
  | { readonly ok: true; readonly value: number | string | null }
  | { readonly ok: false; readonly complaint: string };

/** What was typed, as the wire takes it. */
export function readTyped(unit: Unit, typed: string): Typed {
  if (unit === "text") return { ok: true, value: typed.trim() || null };
  if (unit === "francs" || unit === "days" || unit === "calls") {
    const whole = readFrancs(typed);
    if (typeof whole === "number") return { ok: true, value: whole };
    const complaints = { days: copy.wrongDays, calls: copy.wrongCalls, francs: copy.wrongFrancs };
    return { ok: false, complaint: complaints[unit] };
  }
  const number = Number(typed.trim().replace(",", "."));
  if (typed.trim() === "" || !Number.isFinite(number) || number < 0) {
    return { ok: false, complaint: copy.wrongNumber };
  }
  return { ok: true, value: unit === "percent" ? Math.round(number * 100) : number };
}

function decimal(value: number): string {
  return String(value).replace(".", ",");
}
