import {
  type DeskAction,
  type DeskWithdrawalOnWire,
  DESK_ACTIONS,
  deskRefusals,
  needsSecondAgent,
  RISK_NAMES,
  riskSigns,
} from "@sesame/contract/desk";
import { sayRefusal } from "@sesame/contract";
import { PAYOUT_RETURNED, PAYOUT_STATUS_NAMES } from "@sesame/contract/payouts";
import { planToWire } from "@sesame/contract/plans";
import { groupPhone, sayMethod, workingMsBetween } from "@sesame/contract/withdrawals";
import { fcfaToJson, MINUTE_MS } from "@sesame/kernel";
import { isBack } from "../payouts/index.ts";
import { type Judging, judge } from "./decide-judge.ts";
import { factsOf, riskFactsOf, stageOf } from "./queue-facts.ts";
import { explainRisk } from "./messages.fr.ts";
import type { DeskRow } from "./queue.view.ts";

export type Reading = Judging & { readonly zone: string };

/** A request as the caller sees it now. */
export function withdrawalToWire(row: DeskRow, reading: Reading): DeskWithdrawalOnWire {
  const { now, me, settings } = reading;
  const facts = factsOf(row);
  const claim = facts.claim && facts.claim.until > now ? facts.claim : null;
  const second = row.status === "pending" && needsSecondAgent(facts.risk, settings);
  const awaitsSecond = second && facts.firstApproval !== null;
  return {
    id: String(row.id),
    reference: row.reference,
    amount: fcfaToJson(row.amount),
    method: row.method,
    method_label: sayMethod(row.method),
    operator: row.operator,
    country: row.country,
    phone: row.phone,
    phone_label: groupPhone(row.phone),
    whatsapp: row.whatsapp,
    status: row.status,
    stage: stageOf({ ...facts, claimed: claim !== null, awaitsSecond }),
    type_plan: planToWire(row.plan),
    automatic: row.origin === "automatic",
    seller: {
      id: String(row.seller_id),
      name: row.seller_name,
      username: row.seller_username,
      photo_url: row.seller_photo,
    },
    created_at: row.created_at.toISOString(),
    age_minutes: minutes(now.getTime() - row.created_at.getTime()),
    due_at: row.due_at.toISOString(),
    late: isOpen(row) && row.due_at < now,
    working_minutes_left: isOpen(row) ? workingMinutesLeft(row, reading) : null,
    claim: claim && {
      by: { id: String(claim.by), name: claim.name },
      mine: claim.by === me.personId,
      until: claim.until.toISOString(),
      seconds_left: Math.ceil((claim.until.getTime() - now.getTime()) / 1_000),
    },
    first_approval: firstApprovalOf(row),
    needs_second_agent: second,
    waiting: awaitsSecond ? "second-agent" : null,
    risks: risksOf(row, reading),
    payout: payoutToWire(row),
    reject_reason: row.reject_reason,
    decided_at: row.decided_at?.toISOString() ?? null,
    paid_at: row.paid_at?.toISOString() ?? null,
    own: row.seller_id === me.personId,
    may: mayOf(row, reading),
  };
}

function payoutToWire(row: DeskRow): DeskWithdrawalOnWire["payout"] {
  const { payout_lane: lane, payout_status: status, payout_reference: reference } = row;
  if (lane === null || status === null) return null;
  const back = isBack({ late_at: row.payout_late_at, returned_at: row.payout_returned_at });
  const label = back ? PAYOUT_RETURNED : PAYOUT_STATUS_NAMES[status];
  return { lane, status, status_label: label, operator_reference: reference };
}

function isOpen(row: DeskRow): boolean {
  return row.status === "pending" || (row.status === "approved" && row.paid_at === null);
}

function minutes(ms: number): number {
  return Math.max(0, Math.floor(ms / MINUTE_MS));
}

/** Below zero: of lateness. */
function workingMinutesLeft(row: DeskRow, { now, settings, zone }: Reading): number {
  const within = { hours: settings.hours.payouts, zone };
  const left = workingMsBetween(now, row.due_at, within);
  const over = workingMsBetween(row.due_at, now, within);
  return minutes(left) - minutes(over);
}

function firstApprovalOf(row: DeskRow): DeskWithdrawalOnWire["first_approval"] {
  const { first_approved_by: by, first_approved_at: at, first_approved_lane: lane } = row;
  if (by === null || at === null || lane === null) return null;
  return { by: { id: String(by), name: row.first_name ?? "" }, at: at.toISOString(), lane };
}

function risksOf(row: DeskRow, { now, settings }: Reading): DeskWithdrawalOnWire["risks"] {
  const facts = riskFactsOf(row, now);
  return riskSigns(facts, settings).map((code) => ({
    code,
    label: RISK_NAMES[code],
    explanation: explainRisk(code, facts),
  }));
}

function mayOf(row: DeskRow, reading: Reading): DeskWithdrawalOnWire["may"] {
  const facts = factsOf(row);
  const verdicts = DESK_ACTIONS.map((action) => {
    const refusal = judge(action, facts, reading);
    const reason = refusal && sayRefusal(refusal, deskRefusals).body.message;
    return [action, { allowed: refusal === null, reason }] as const;
  });
  return Object.fromEntries(verdicts) as Record<DeskAction, (typeof verdicts)[number][1]>;
}
