import type { AnswerOf } from "@sesame/contract/routes";
import {
  type StaffWithdrawalDetail,
  PAYOUT_RAIL_NAMES,
  type PayoutRail,
  type ResolveOutcome,
} from "@sesame/contract/treasury";
import { Stack, Text } from "../../kit/layout.tsx";
import { CopyLine } from "../../kit/record-list.tsx";
import { type Act, type ActOf, act, Acts } from "../../kit/use-action.tsx";
import { formatFcfa } from "../../lib/format.ts";
import { names } from "./messages.fr.ts";
import { withdrawalCopy as copy } from "./money-messages.fr.ts";
import { reason, useBackOffice } from "./use-staff.ts";
import { Note } from "../../kit/records.tsx";

type Staff = AnswerOf<"GET /api/desk">;
type Verb = "assign" | "release" | "approve" | "paid" | "failed" | "reject" | "resolve";

/** The server asks providers while the agent waits. */
const DECISION_TIMEOUT_MS = 30_000;

/** A decision on a withdrawal. */
function decision<V extends Verb, const K extends string = never>(
  { id }: StaffWithdrawalDetail,
  verb: V,
  what: ActOf<`POST /api/desk/withdrawals/:id/${V}`, K>,
): Act {
  const given = { params: { id }, timeoutMs: DECISION_TIMEOUT_MS };
  return act(`POST /api/desk/withdrawals/:id/${verb}`, { ...what, ...given } as never);
}

/** The agent's actions now; a forbidden one shows why. */
export function WithdrawalActs({ withdrawal }: { withdrawal: StaffWithdrawalDetail }) {
  const staff = useBackOffice();
  const { may, stage, rails, first_approval: first } = withdrawal;
  const pending = withdrawal.status === "pending";
  // A second agent confirms the first agent's rail, unless it no longer works: then the approval begins anew.
  const confirmable = rails.some((rail) => rail.id === first?.rail && rail.open);
  const second = may.approve.allowed && confirmable;
  const offered = second ? rails.filter(({ id }) => id === first?.rail) : rails;
  const open = offered
    .filter((rail) => rail.open)
    .sort((a, b) => Number(a.id === "manual") - Number(b.id === "manual"));
  const closed = offered.filter((rail) => !rail.open);
  const mine = may.approve.allowed || may.assign.allowed;
  const takes = may.assign.allowed && !withdrawal.assignment?.mine;
  const offers = [
    takes && decision(withdrawal, "assign", { button: names.take, icon: "check" }),
    takes && staff ? <Note key="hint">{copy.takeHint(staff.assignment_minutes)}</Note> : null,
    ...(pending && may.approve.allowed
      ? open.map(({ id }, at) => approve(withdrawal, id, { second, at }))
      : []),
    pending && !mine && !withdrawal.own && <Why key="approve" may={may.approve} />,
    pending && mine && closed.length > 0 && (
      <ul key="closed">
        {closed.map((rail) => (
          <li key={rail.id}>
            <Note>
              <strong>{copy.railOff(rail.label)}</strong>
              {rail.reason ? ` : ${rail.reason}` : null}
            </Note>
          </li>
        ))}
      </ul>
    ),
    may.paid.allowed && paidByHand(withdrawal),
    may.resolve.allowed && resolve(withdrawal),
    stage === "uncertain" && !may.resolve.allowed && <Why key="resolve" may={may.resolve} />,
    may.failed.allowed &&
      decision(withdrawal, "failed", {
        ...copy.failed,
        look: "danger-tinted",
        fields: { reason: reason(names.reasonForSeller) },
      }),
    may.reject.allowed && reject(withdrawal, staff?.reject_reasons ?? []),
    may.release.allowed &&
      decision(withdrawal, "release", {
        button: copy.release,
        look: "plain",
        title: copy.releaseTitle,
        text: copy.releaseText,
      }),
  ].filter((offer) => offer !== false && offer !== null);
  // Rendered without an offer too: a sheet that is open stays open with what was typed.
  return (
    <Stack as="section" gap={2} aria-label={offers.length > 0 ? copy.act : undefined}>
      <Acts of={offers} />
    </Stack>
  );
}

function Why({ may }: { may: { reason: string | null } }) {
  return may.reason ? <Note>{may.reason}</Note> : null;
}

/**
 * Approval on one rail: the only one, or one of two. By hand the request is approved before any money leaves
 * a phone, so that nobody else pays it too; then the operator's reference proves the payment.
 */
function approve(
  withdrawal: StaffWithdrawalDetail,
  rail: PayoutRail,
  { second, at }: { second: boolean; at: number },
): Act {
  const name = PAYOUT_RAIL_NAMES[rail];
  const first = withdrawal.needs_second_agent && !second;
  const about = <Money withdrawal={withdrawal} />;
  if (rail === "manual") {
    return decision(withdrawal, "approve", {
      button: second ? copy.confirmByHand : copy.payByHand,
      look: "tinted",
      title: copy.hand.approveTitle,
      text: first ? copy.secondNeeded : copy.hand.approveText,
      confirm: second ? copy.confirmByHand : copy.hand.approve,
      about,
      body: () => ({ rail }),
      next: ({ waiting }) => (waiting ? null : paidByHand(withdrawal)),
    });
  }
  return decision(withdrawal, "approve", {
    button: second ? copy.confirmBy(name) : copy.payBy(name),
    icon: "send",
    look: at === 0 ? "filled" : "tinted",
    title: copy.payByTitle(name),
    text: first ? copy.secondNeeded : copy.payByText,
    about,
    body: () => ({ rail }),
  });
}

function paidByHand(withdrawal: StaffWithdrawalDetail): Act {
  const { hand } = copy;
  return decision(withdrawal, "paid", {
    button: hand.open,
    icon: "check",
    title: hand.payTitle,
    text: hand.steps,
    confirm: names.setPaid,
    about: <Money withdrawal={withdrawal} />,
    fields: { reference: { label: names.operatorReference, hint: hand.referenceHint, max: 80 } },
  });
}

/** Number and amount, each with a button to copy it. */
function Money({ withdrawal }: { withdrawal: StaffWithdrawalDetail }) {
  return (
    <>
      <CopyLine
        label={`${copy.number} (${withdrawal.method_label})`}
        shown={withdrawal.phone_label}
        copied={withdrawal.phone}
        button={names.copyNumber}
      />
      <CopyLine
        label={copy.amount}
        shown={formatFcfa(withdrawal.amount)}
        copied={String(withdrawal.amount)}
        button={copy.copyAmount}
      />
    </>
  );
}

function reject(withdrawal: StaffWithdrawalDetail, reasons: Staff["reject_reasons"]): Act {
  const words = copy.reject;
  return decision(withdrawal, "reject", {
    button: names.reject,
    look: "danger-tinted",
    title: words.title,
    text: words.text,
    confirm: words.title,
    fields: ({ code, reason: said = "" }) => {
      const chosen = reasons.find((each) => each.code === code);
      const sentence = chosen?.sentence;
      return {
        code: {
          kind: "choices",
          label: names.reason,
          choices: reasons.map(({ code: value, label }) => ({ value, label })),
        },
        reason: chosen
          ? {
              ...(sentence ? reason(words.reason, words.reasonHint) : reason(words.reasonNeeded)),
              before:
                sentence && !said.trim() ? (
                  <Text size="small" pad hollow>
                    <Text as="span" tone="soft" block>
                      {words.reads}
                    </Text>
                    {sentence}
                  </Text>
                ) : null,
            }
          : null,
      };
    },
    body: ({ code, reason: said }) => ({
      reason_code: code || null,
      ...(said?.trim() ? { reason: said } : {}),
    }),
  });
}

const OPEN_OUTCOMES = ["link", "sent", "not-sent"] as const satisfies readonly ResolveOutcome[];

function resolve(withdrawal: StaffWithdrawalDetail): Act {
  const words = copy.resolve;
  const { status, rail } = withdrawal.payout ?? {};
  // Its payout has ended: the only other outcome is that the money came back.
  const ended = status === "succeeded" || status === "failed";
  return decision(withdrawal, "resolve", {
    ...(ended
      ? { button: words.returnedButton, look: "plain", title: words.returnedTitle }
      : { button: words.button, icon: "shield", title: words.title }),
    text: ended ? words.returnedText : rail ? words.text(PAYOUT_RAIL_NAMES[rail]) : undefined,
    confirm: words.confirm,
    fields: ({ outcome }) => ({
      outcome: !ended && {
        kind: "choices",
        label: words.outcome,
        choices: OPEN_OUTCOMES.map((value) => ({
          value,
          label: words[value],
          hint: words[`${value}Hint`],
        })),
      },
      provider_payout_id: outcome === "link" && { label: words.providerId },
      reference: (ended || outcome === "sent") && {
        label: ended ? words.returnedReference : words.reference,
      },
      reason: (ended || Boolean(outcome)) && reason(names.seen),
    }),
    body: (said) => {
      const outcome = ended ? "returned" : said.outcome || null;
      const withReference = outcome === "returned" || outcome === "sent";
      return {
        outcome,
        reason: said.reason ?? "",
        ...(outcome === "link" ? { provider_payout_id: said.provider_payout_id } : {}),
        ...(withReference && said.reference.trim() ? { reference: said.reference } : {}),
      };
    },
  });
}
