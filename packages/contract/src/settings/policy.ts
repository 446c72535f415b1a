import type { KnownProvider } from "../checkout/policy.ts";
import { type BasisPoints, basisPoints, type Fcfa, fcfa } from "@sesame/kernel";
import type { SettingsRefusal } from "./refusals.fr.ts";
import type { SettingsOnWire } from "./routes.ts";

/** B §3: the ids of the fifteen payout methods. */
export const PAYOUT_METHOD_IDS = [
  "orange-money-ci",
  "mtn-ci",
  "moov-ci",
  "wave-ci",
  "orange-money-senegal",
  "free-money-senegal",
  "expresso-senegal",
  "wave-senegal",
  "mtn-benin",
  "moov-benin",
  "t-money-togo",
  "moov-togo",
  "orange-money-mali",
  "orange-money-burkina",
  "moov-burkina-faso",
] as const;
export type PayoutMethodId = (typeof PAYOUT_METHOD_IDS)[number];

/** What an operator of mobile money takes (decision 66). */
export type MethodSettings = {
  /** Closed: not offered, and refused. */
  readonly open: boolean;
  readonly min: Fcfa;
  /** Amounts are whole multiples of it. */
  readonly step: Fcfa;
};

/** In the instance's time zone. */
export type WorkingHours = {
  /** 1 Monday … 7 Sunday, in order. */
  readonly days: readonly number[];
  /** Whole hours, the end not included: 9 and 17 are 9:00 to 16:59. */
  readonly fromHour: number;
  readonly toHour: number;
};

/** What an operator may change without a new release. */
export type InstanceSettings = {
  /** The platform's share of each new order, by the seller's plan. */
  readonly feeRates: { readonly free: BasisPoints; readonly premium: BasisPoints };
  /** B §9. */
  readonly withdrawals: { readonly min: Fcfa; readonly maxFree: Fcfa; readonly maxPremium: Fcfa };
  readonly methods: Readonly<Record<PayoutMethodId, MethodSettings>>;
  readonly hours: { readonly payouts: WorkingHours; readonly support: WorkingHours };
  /** From this amount on two agents approve a withdrawal. */
  readonly secondAgentFrom: Fcfa;
  /** As long as no payout of the seller's has succeeded: the most he may ask for, in all that is open. */
  readonly firstPayoutMax: Fcfa;
  /** And from this amount on two agents approve it. */
  readonly firstPayoutSecondAgentFrom: Fcfa;
  /** A request this many times the seller's usual one is a risk sign. */
  readonly unusualFactor: number;
  /** What the premium plan costs, for how long; a plan bought keeps what it was bought at. */
  readonly premium: { readonly price: Fcfa; readonly periodDays: number };
  /** What a Star is worth, whole francs: a price in Stars is rounded up. */
  readonly francsPerStar: number;
  /** Nothing but Stars is offered, and taken, for a new payment (Telegram's rule). */
  readonly starsOnly: boolean;
  /** Calls a minute that each provider allows an account. */
  readonly providerRates: ProviderRates;
  /** What each provider keeps of what it collects, where it does not say. */
  readonly collectionCosts: CollectionCosts;
  /** Null: what the configuration says. */
  readonly texts: {
    readonly communityUrl: string | null;
    readonly supportWhatsapp: string | null;
    readonly supportTelegram: string | null;
  };
};

export type ProviderRates = Readonly<Record<KnownProvider, number>>;

export type CollectionCosts = Readonly<Record<KnownProvider, BasisPoints>>;

const USUAL: MethodSettings = { open: true, min: fcfa(100n), step: fcfa(1n) };

export const DEFAULT_SETTINGS: InstanceSettings = {
  feeRates: { free: basisPoints(1_800), premium: basisPoints(0) },
  withdrawals: { min: fcfa(100n), maxFree: fcfa(50_000n), maxPremium: fcfa(500_000n) },
  methods: {
    "orange-money-ci": USUAL,
    "mtn-ci": USUAL,
    "moov-ci": { ...USUAL, min: fcfa(500n) },
    "wave-ci": USUAL,
    "orange-money-senegal": USUAL,
    "free-money-senegal": USUAL,
    "expresso-senegal": USUAL,
    "wave-senegal": USUAL,
    "mtn-benin": USUAL,
    "moov-benin": USUAL,
    "t-money-togo": USUAL,
    "moov-togo": USUAL,
    "orange-money-mali": USUAL,
    "orange-money-burkina": USUAL,
    "moov-burkina-faso": USUAL,
  },
  hours: {
    payouts: { days: [1, 2, 3, 4, 5], fromHour: 9, toHour: 17 },
    support: { days: [1, 2, 3, 4, 5], fromHour: 9, toHour: 18 },
  },
  secondAgentFrom: fcfa(100_000n),
  firstPayoutMax: fcfa(200_000n),
  firstPayoutSecondAgentFrom: fcfa(50_000n),
  unusualFactor: 3,
  premium: { price: fcfa(5_000n), periodDays: 30 },
  francsPerStar: 8,
  starsOnly: false,
  // Moneroo documents 120 a minute; what the others allow is not documented.
  providerRates: {
    moneroo: 120,
    fedapay: 60,
    kkiapay: 60,
    paydunya: 60,
    cryptopay: 60,
    stars: 60,
  },
  collectionCosts: {
    moneroo: basisPoints(0),
    fedapay: basisPoints(0),
    kkiapay: basisPoints(0),
    paydunya: basisPoints(0),
    cryptopay: basisPoints(0),
    stars: basisPoints(0),
  },
  texts: { communityUrl: null, supportWhatsapp: null, supportTelegram: null },
};

const FEE_MAX = 5_000;
const AMOUNT_MAX = 10_000_000;
const METHOD_AMOUNT_MAX = 1_000_000;
const FACTOR_MIN = 1.5;
const FACTOR_MAX = 100;
const SUNDAY = 7;
/** As of a product: providers take no less, and know no longer period as a subscription. */
const PREMIUM_PRICE_MIN = 100;
const PREMIUM_PRICE_MAX = 1_000_000;
const PERIOD_DAYS_MAX = 366;
const FRANCS_PER_STAR_MAX = 1_000;
/** Fewer calls a minute would open no payment by FedaPay, which takes two of half of them. */
const RATE_MIN = 10;
const RATE_MAX = 100_000;

/** The first reason to refuse these settings; null: they can be. In the order of the screen. */
export function checkSettings(settings: SettingsOnWire): SettingsRefusal | null {
  return (
    checkFees(settings) ??
    checkLimits(settings) ??
    checkMethods(settings) ??
    checkHours(settings) ??
    checkThresholds(settings) ??
    checkPremium(settings) ??
    checkRates(settings) ??
    checkCosts(settings) ??
    checkTexts(settings)
  );
}

function checkFees({ fee_rates: { free, premium } }: SettingsOnWire): SettingsRefusal | null {
  const sound = isBetween(free, 0, FEE_MAX) && isBetween(premium, 0, FEE_MAX);
  return sound ? null : { kind: "settings.fee-out-of-range" };
}

function checkLimits({ withdrawals }: SettingsOnWire): SettingsRefusal | null {
  const { min, max_free: maxFree, max_premium: maxPremium } = withdrawals;
  if (![min, maxFree, maxPremium].every((amount) => isBetween(amount, 1, AMOUNT_MAX))) {
    return { kind: "settings.limit-out-of-range" };
  }
  return min > maxFree || min > maxPremium ? { kind: "settings.limits-crossed" } : null;
}

function checkMethods({ methods }: SettingsOnWire): SettingsRefusal | null {
  const wrong = Object.entries(methods).find(
    ([, { min, step }]) =>
      !isBetween(min, 1, METHOD_AMOUNT_MAX) || !isBetween(step, 1, METHOD_AMOUNT_MAX),
  );
  return wrong ? { kind: "settings.method-out-of-range", method: wrong[0] } : null;
}

function checkHours({ hours }: SettingsOnWire): SettingsRefusal | null {
  const sound = [hours.payouts, hours.support].every(
    ({ days, from_hour: from, to_hour: to }) =>
      days.length > 0 &&
      days.every((day, index) => isBetween(day, 1, SUNDAY) && day > (days[index - 1] ?? 0)) &&
      isBetween(from, 0, 23) &&
      isBetween(to, from + 1, 24),
  );
  return sound ? null : { kind: "settings.hours-invalid" };
}

function checkThresholds(settings: SettingsOnWire): SettingsRefusal | null {
  const { first_payout_max: first, first_payout_second_agent_from: firstSecond } = settings;
  const amounts = [settings.second_agent_from, first, firstSecond];
  if (!amounts.every((amount) => isBetween(amount, 1, AMOUNT_MAX))) {
    return { kind: "settings.amount-out-of-range" };
  }
  return isBetween(settings.unusual_factor, FACTOR_MIN, FACTOR_MAX)
    ? null
    : { kind: "settings.factor-out-of-range" };
}

function checkPremium({ premium, francs_per_star: star }: SettingsOnWire): SettingsRefusal | null {
  const sound =
    isBetween(premium.price, PREMIUM_PRICE_MIN, PREMIUM_PRICE_MAX) &&
    isBetween(premium.period_days, 1, PERIOD_DAYS_MAX);
  if (!sound) return { kind: "settings.premium-out-of-range" };
  return isBetween(star, 1, FRANCS_PER_STAR_MAX) ? null : { kind: "settings.star-out-of-range" };
}

function checkRates({ provider_rates: rates }: SettingsOnWire): SettingsRefusal | null {
  const sound = Object.values(rates).every((rate) => isBetween(rate, RATE_MIN, RATE_MAX));
  return sound ? null : { kind: "settings.rate-out-of-range" };
}

function checkCosts({ collection_costs: costs }: SettingsOnWire): SettingsRefusal | null {
  const sound = Object.values(costs).every((cost) => isBetween(cost, 0, FEE_MAX));
  return sound ? null : { kind: "settings.fee-out-of-range" };
}

function checkTexts({ texts }: SettingsOnWire): SettingsRefusal | null {
  const { community_url: url, support_whatsapp: whatsapp, support_telegram: telegram } = texts;
  if (url !== null && !isHttps(url)) return { kind: "settings.community-invalid" };
  if (whatsapp !== null && !/^\+\d{8,15}$/.test(whatsapp)) {
    return { kind: "settings.whatsapp-invalid" };
  }
  if (telegram !== null && !/^@?[A-Za-z][A-Za-z0-9_]{3,31}$/.test(telegram)) {
    return { kind: "settings.telegram-invalid" };
  }
  return null;
}

function isHttps(text: string): boolean {
  return /^https:\/\/[^\s"<>\\]+$/.test(text) && URL.canParse(text);
}

function isBetween(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}
