import { sayWorkingHours } from "@sesame/contract";
import {
  CLAIM_SELLER_MS,
  faqOf,
  openingAt,
  PRIORITY_PLANS,
  sayOpening,
  SUPPORT_REPLY_HOURS,
  telegramAddress,
  type TicketSubject,
  whatsappAddress,
} from "@sesame/contract/cases";
import { FREE_GROUPS_MAX, GRACE_DAYS, type Plan, feeOf } from "@sesame/contract/plans";
import { fcfa, HOUR_MS, splitPrice } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { type Db, many, maybe, one } from "../../postgres/database.ts";
import { readContacts } from "../../settings.ts";
import { PROVIDERS } from "@sesame/contract/checkout";

/** How to reach people, and when they answer. */
export async function viewSupport(app: App, sellerId: bigint) {
  const { db, clock } = app;
  const { timeZone: zone } = app.config;
  const [settings, contacts, seller, unread, subjects] = await Promise.all([
    app.settings.current(),
    readContacts(app),
    maybe<{ plan: Plan }>(db)`SELECT plan FROM sellers WHERE id = ${sellerId}`,
    countUnseen(db, sellerId),
    listSubjects(db, sellerId),
  ]);
  const now = clock.now();
  const hours = settings.hours.support;
  const opening = openingAt(now, hours, zone);
  const { supportTelegram: telegram, supportWhatsapp: whatsapp } = contacts;
  return {
    now,
    hours: {
      open: opening.open,
      label: sayWorkingHours(hours),
      says: sayOpening(opening, now, zone),
    },
    reply_hours: SUPPORT_REPLY_HOURS,
    priority: seller !== null && PRIORITY_PLANS.includes(seller.plan),
    contacts: {
      whatsapp: whatsapp && whatsappAddress(whatsapp),
      telegram: telegram && telegramAddress(telegram),
    },
    unread,
    subjects,
  };
}

const SUBJECTS_OF_EACH = 15;

/** What a ticket may be tied to, newest first. */
const listSubjects = (db: Db, sellerId: bigint) => many<TicketSubject>(db)`
  SELECT * FROM (
    (SELECT 'commande' AS what, id, title AS label, price AS amount, created_at AS at
      FROM orders WHERE seller_id = ${sellerId} AND kind <> 'trial'
      ORDER BY id DESC LIMIT ${SUBJECTS_OF_EACH})
    UNION ALL
    (SELECT 'commande', id, title, price, created_at FROM orders
      WHERE buyer_id = ${sellerId} AND kind = 'plan' ORDER BY id DESC LIMIT ${SUBJECTS_OF_EACH})
    UNION ALL
    (SELECT 'retrait', id, reference, amount, created_at FROM withdrawals
      WHERE seller_id = ${sellerId} ORDER BY id DESC LIMIT ${SUBJECTS_OF_EACH})
  ) AS subjects ORDER BY at DESC
`;

/** Of a seller: messages of the desk's he has not seen. */
export async function countUnseen(db: Db, sellerId: bigint): Promise<number> {
  const { count } = await one<{ count: number }>(db)`
    SELECT count(*)::int AS count FROM tickets t
    JOIN ticket_messages m ON m.ticket_id = t.id AND m.author = 'desk' AND m.id > t.seen_id
    WHERE t.seller_id = ${sellerId}
  `;
  return count;
}

/** The sale of the examples. */
const EXAMPLE = fcfa(5_000n);

/** The questions with the figures in force. */
export async function viewFaq(app: App) {
  const figures = await app.settings.current();
  const { premium } = figures;
  const free = feeOf({ plan: "free" }, figures);
  const open = app.providers
    .map(({ id }) => id)
    .filter((id) => !figures.stars_only || id === "stars");
  const named = (ids: typeof open) => ids.map((id) => PROVIDERS[id].name);
  const chapters = faqOf({
    fees: { free: free / 100, premium: feeOf({ plan: "premium" }, figures) / 100 },
    example: { price: EXAMPLE, net: splitPrice(EXAMPLE, free).net },
    freeGroups: FREE_GROUPS_MAX,
    graceDays: GRACE_DAYS,
    premium: { price: premium.price, days: premium.period_days },
    withdrawals: figures.withdrawals,
    payoutHours: sayWorkingHours(figures.hours.payouts),
    providers: named(open.filter((id) => PROVIDERS[id].onByDefault)),
    toSwitchOn: named(open.filter((id) => !PROVIDERS[id].onByDefault)),
    claimHours: CLAIM_SELLER_MS / HOUR_MS,
  });
  return { chapters };
}
