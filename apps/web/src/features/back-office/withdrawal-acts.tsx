import type { AnswerOf } from "@sesame/contract/routes";
import {
  type DeskWithdrawalDetail,
  LANE_NAMES,
  type Lane,
  type ResolveOutcome,
} from "@sesame/contract/treasury";
import { Text } from "../../kit/layout.tsx";
import { CopyLine } from "../../kit/record-list.tsx";
import { Note } from "../../kit/records.tsx";
import { type Act, type ActOf, act, Acts } from "../../kit/use-action.tsx";
import { formatFcfa } from "../../lib/format.ts";
import { withdrawalCopy as copy } from "./money-messages.fr.ts";
import { reason, useDesk } from "./use-desk.ts";
import styles from "./withdrawal.module.css";

type Desk = AnswerOf<"GET /api/desk">;
type Verb = "claim" | "release" | "approve" | "paid" | "failed" | "reject" | "resolve";

/** Providers are asked while the agent waits. */
const DECISION_TIMEOUT_MS = 30_000;

/** A decision on a withdrawal. */
function decision<V extends Verb, const K extends string = never>(
  { id }: DeskWithdrawalDetail,
  verb: V,
  what: ActOf<`POST /api/desk/withdrawals/:id/${V}`, K>,
): Act {
  const of = { params: { id }, timeoutMs: DECISION_TIMEOUT_MS };
  return act(`POST /api/desk/withdrawals/:id/${verb}`, of as never, what);
}

/** What this agent may do now; what he may not says why. */
export function WithdrawalActs({ withdrawal }: { withdrawal: DeskWithdrawalDetail }) {
  const desk = useDesk();
  const { may, stage, lanes, first_approval: first } = withdrawal;
  const pending = withdrawal.status === "pending";
  // A second agent confirms the first one's lane, unless it can no longer serve: then he begins anew.
  const confirmable = lanes.some((lane) => lane.id === first?.lane && lane.open);
  const second = may.approve.allowed && confirmable;
  const offered = second ? lanes.filter(({ id }) => id === first?.lane) : lanes;
  const open = offered
    .filter((lane) => lane.open)
    .sort((a, b) => Number(a.id === "manual") - Number(b.id === "manual"));
  const closed = offered.filter((lane) => !lane.open);
  const mine = may.approve.allowed || may.claim.allowed;
  const offers = [
    ...(may.claim.allowed && !withdrawal.claim?.mine
      ? [
          decision(withdrawal, "claim", { button: copy.take, icon: "check" }),
          desk?.claim_minutes ? <Note key="hint">{copy.takeHint(desk.claim_minutes)}</Note> : null,
        ]
      : []),
    ...(pending && may.approve.allowed
      ? open.map(({ id }, at) => approve(withdrawal, id, { second, at }))
      : []),
    pending && !mine && !withdrawal.own && <Why key="approve" may={may.approve} />,
    pending && mine && closed.length > 0 && (
      <ul key="closed" className={styles.closed}>
        {closed.map((lane) => (
          <li key={lane.id}>
            <strong>{copy.laneOff(lane.label)}</strong>
            {lane.reason ? <span> : {lane.reason}</span> : null}
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
        fields: { reason: reason(copy.failed.reason) },
      }),
    may.reject.allowed && reject(withdrawal, desk?.reject_reasons ?? []),
    may.release.allowed &&
      decision(withdrawal, "release", {
        button: copy.release,
        look: "plain",
        title: copy.releaseTitle,
        text: copy.releaseText,
      }),
  ].filter((offer) => offer !== false && offer !== null);
  // Without an offer too: an act that is being said stays open with what was typed.
  return (
    <section className={styles.acts} aria-label={offers.length > 0 ? copy.act : undefined}>
      <Acts of={offers} />
    </section>
  );
}

function Why({ may }: { may: { reason: string | null } }) {
  return may.reason ? <p className={styles.why}>{may.reason}</p> : null;
}

/**
 * On one lane: an accord alone, or one of two. By hand the request is approved before any money
 * leaves a telephone, so that nobody else pays it too; then the operator's reference proves it.
 */
function approve(
  withdrawal: DeskWithdrawalDetail,
  lane: Lane,
  { second, at }: { second: boolean; at: number },
): Act {
  const name = LANE_NAMES[lane];
  const first = withdrawal.needs_second_agent && !second;
  const about = <Money withdrawal={withdrawal} />;
  if (lane === "manual") {
    return decision(withdrawal, "approve", {
      button: second ? copy.confirmByHand : copy.payByHand,
      look: "tinted",
      title: copy.hand.approveTitle,
      text: first ? copy.secondNeeded : copy.hand.approveText,
      confirm: second ? copy.confirmByHand : copy.hand.approve,
      about,
      body: () => ({ lane }),
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
    body: () => ({ lane }),
  });
}

function paidByHand(withdrawal: DeskWithdrawalDetail): Act {
  const { hand } = copy;
  return decision(withdrawal, "paid", {
    button: hand.open,
    icon: "check",
    title: hand.payTitle,
    text: hand.steps,
    confirm: hand.paid,
    about: <Money withdrawal={withdrawal} />,
    fields: { reference: { label: hand.reference, hint: hand.referenceHint, max: 80 } },
  });
}

/** The two things to carry over, each with its copy. */
function Money({ withdrawal }: { withdrawal: DeskWithdrawalDetail }) {
  return (
    <>
      <CopyLine
        label={`${copy.number} (${withdrawal.method_label})`}
        shown={withdrawal.phone_label}
        copied={withdrawal.phone}
        button={copy.copyNumber}
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

function reject(withdrawal: DeskWithdrawalDetail, reasons: Desk["reject_reasons"]): Act {
  const words = copy.reject;
  return decision(withdrawal, "reject", {
    button: words.button,
    look: "danger-tinted",
    title: words.title,
    text: words.text,
    confirm: words.confirm,
    fields: ({ code, reason: said = "" }) => {
      const chosen = reasons.find((each) => each.code === code);
      const sentence = chosen?.sentence;
      return {
        code: {
          kind: "choices",
          label: words.code,
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

function resolve(withdrawal: DeskWithdrawalDetail): Act {
  const words = copy.resolve;
  const { status, lane } = withdrawal.payout ?? {};
  // Its payout has ended: all that can be said of it is that it came back.
  const ended = status === "succeeded" || status === "failed";
  return decision(withdrawal, "resolve", {
    ...(ended
      ? { button: words.returnedButton, look: "plain", title: words.returnedTitle }
      : { button: words.button, icon: "shield", title: words.title }),
    text: ended ? words.returnedText : lane ? words.text(LANE_NAMES[lane]) : undefined,
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
      reason: (ended || Boolean(outcome)) && reason(words.reason),
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
