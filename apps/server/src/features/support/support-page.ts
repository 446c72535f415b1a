import {
  faqOf,
  openingAt,
  PRIORITY_PLANS,
  SUPPORT_REPLY_HOURS,
  sayOpening,
  telegramAddress,
  whatsappAddress,
} from "@sesame/contract/support";
import { isOnByDefault } from "@sesame/contract/aggregators";
import { PAYMENT_PROVIDERS } from "@sesame/contract/checkout";
import { CLAIM_SELLER_MS } from "@sesame/contract/claims";
import { FREE_GROUPS_MAX, GRACE_DAYS } from "@sesame/contract/plans";
import { sayWorkingHours } from "@sesame/contract/settings";
import { type BasisPoints, fcfa, fcfaToJson, HOUR_MS, splitPrice } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { readContacts } from "../../contacts.ts";
import { countUnseen, findPlanOf, findSubjects } from "./ticket.view.ts";

/** How to reach people, and when they answer. */
export async function viewSupport(app: App, sellerId: bigint) {
  const { db, clock } = app;
  const { timeZone: zone } = app.config;
  const [settings, contacts, plan, unread, subjects] = await Promise.all([
    app.settings.current(),
    readContacts(app),
    findPlanOf(db, sellerId),
    countUnseen(db, sellerId),
    findSubjects(db, sellerId),
  ]);
  const now = clock.now();
  const hours = settings.hours.support;
  const opening = openingAt(now, hours, zone);
  const { supportTelegram: telegram, supportWhatsapp: whatsapp } = contacts;
  return {
    now: now.toISOString(),
    hours: {
      open: opening.open,
      label: sayWorkingHours(hours),
      says: sayOpening(opening, now, zone),
    },
    reply_hours: SUPPORT_REPLY_HOURS,
    priority: plan !== null && PRIORITY_PLANS.includes(plan),
    contacts: {
      whatsapp: whatsapp && whatsappAddress(whatsapp),
      telegram: telegram && telegramAddress(telegram),
    },
    unread,
    subjects: subjects.map(({ what, id, label, amount, at }) => ({
      what,
      id: String(id),
      label,
      amount: fcfaToJson(amount),
      at: at.toISOString(),
    })),
  };
}

/** The sale of the examples. */
const EXAMPLE = fcfa(5_000n);

const percentOf = (rate: BasisPoints): number => Number(rate) / 100;

/** The questions with the figures in force. */
export async function viewFaq(app: App) {
  const { feeRates, withdrawals, premium, hours, starsOnly } = await app.settings.current();
  const open = app.providers.map(({ id }) => id).filter((id) => !starsOnly || id === "stars");
  const named = (ids: typeof open) => ids.map((id) => PAYMENT_PROVIDERS[id].name);
  const chapters = faqOf({
    fees: { free: percentOf(feeRates.free), premium: percentOf(feeRates.premium) },
    example: { price: EXAMPLE, net: splitPrice(EXAMPLE, feeRates.free).net },
    freeGroups: FREE_GROUPS_MAX,
    graceDays: GRACE_DAYS,
    premium: { price: premium.price, days: premium.periodDays },
    withdrawals,
    payoutHours: sayWorkingHours(hours.payouts),
    providers: named(open.filter(isOnByDefault)),
    toSwitchOn: named(open.filter((id) => !isOnByDefault(id))),
    claimHours: CLAIM_SELLER_MS / HOUR_MS,
  });
  const { settings, index, plans } = chapters;
  return { chapters: { settings: [...settings], index: [...index], plans: [...plans] } };
}
