import { planToWire } from "@sesame/contract/plans";
import type { InstanceSettings } from "@sesame/contract/settings";
import {
  COUNTRY_TERMS,
  deadlineOf,
  type LimitsAnswer,
  PAYOUT_METHOD_IDS,
  PAYOUT_METHODS,
  type PayoutMethodOnWire,
  type StandingRefusal,
  type WithdrawalOnWire,
  type WithdrawalsAnswer,
  withdrawalsRefusals,
} from "@sesame/contract/withdrawals";
import { sayRefusal } from "@sesame/contract";
import { assert, fcfaToJson } from "@sesame/kernel";
import type { App } from "../../app.ts";
import type { RawBuilder } from "kysely";
import { mapPart, type Part } from "../../postgres/parts.ts";
import { limitsFor } from "./seller-limits.ts";
import { withdrawalToWire } from "./withdrawal-on-wire.ts";
import {
  type ListChoice,
  newestPart,
  viewSellerFacts,
  viewWithdrawals,
} from "./withdrawals.view.ts";

/** What the form needs, so that it checks as the server does. */
export async function limitsAnswerOf(
  app: App,
  sellerId: bigint,
): Promise<Omit<LimitsAnswer, "success">> {
  const [settings, facts] = await Promise.all([
    app.settings.current(),
    viewSellerFacts(app.db, sellerId),
  ]);
  assert(facts, `no seller ${sellerId}`);
  const { timeZone: zone } = app.config;
  const now = app.clock.now();
  const limits = limitsFor(facts, settings, { now, zone });
  const { days, fromHour, toHour } = settings.hours.payouts;
  return {
    type_plan: planToWire(facts.plan),
    min: fcfaToJson(limits.min),
    max: fcfaToJson(limits.max),
    frais: 0,
    solde: fcfaToJson(facts.posted),
    disponible: fcfaToJson(facts.available),
    premier_max: limits.firstMax === null ? null : fcfaToJson(limits.firstMax),
    prochaine_date: limits.reopensAt?.toISOString() ?? null,
    date_limite: deadlineOf(now, settings.hours.payouts, zone).toISOString(),
    horaires: { jours: [...days], debut: fromHour, fin: toHour },
    fuseau: zone,
    bloque: standingToWire(limits.standing),
    methodes: methodsOnWire(settings),
    payment_method: facts.last_method,
    transfer_number: facts.last_phone,
    whatsapp_number: facts.last_whatsapp ?? facts.whatsapp_number,
  };
}

export function standingToWire(standing: StandingRefusal | null): LimitsAnswer["bloque"] {
  if (standing === null) return null;
  const { code, message } = sayRefusal(standing, withdrawalsRefusals).body;
  const reviewAt = "reviewAt" in standing ? standing.reviewAt : null;
  return { code, message, date_revision: reviewAt?.toISOString() ?? null };
}

function methodsOnWire({ methods }: InstanceSettings): PayoutMethodOnWire[] {
  return PAYOUT_METHOD_IDS.map((id) => {
    const { label, operator, country } = PAYOUT_METHODS[id];
    const { open, min, step } = methods[id];
    return {
      id,
      nom: label,
      operateur: operator,
      pays: country,
      indicatif: COUNTRY_TERMS[country].dial,
      min: fcfaToJson(min),
      pas: fcfaToJson(step),
      ouvert: open,
    };
  });
}

const PAGE = 50;

/** A seller's requests, newest first. */
export async function withdrawalsAnswerOf(
  { db, clock }: App,
  sellerId: bigint,
  page: Pick<ListChoice, "status" | "before">,
): Promise<Omit<WithdrawalsAnswer, "success">> {
  const rows = await viewWithdrawals(db, sellerId, { ...page, limit: PAGE + 1 });
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  const now = clock.now();
  return {
    demandes: shown.map((row) => withdrawalToWire(row, now)),
    next_cursor: rows.length > PAGE && last ? String(last.id) : null,
  };
}

/** What the seller's start answer carries: the newest. */
export function requestsAtStart(
  { clock }: App,
  seller: RawBuilder<unknown>,
): Part<WithdrawalOnWire[]> {
  return mapPart(newestPart(seller), (rows) => {
    const now = clock.now();
    return rows.map((row) => withdrawalToWire(row, now));
  });
}
