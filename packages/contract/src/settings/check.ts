import type { SettingsRefusal } from "./refusals.fr.ts";
import type { SettingsOnWire } from "./wire.ts";

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
