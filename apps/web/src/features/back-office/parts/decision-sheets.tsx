import type { AnswerOf, BodyOf } from "@sesame/contract/routes";
import {
  type DeskWithdrawalDetail,
  type Lane,
  LANE_NAMES,
  type RejectCode,
  type ResolveOutcome,
} from "@sesame/contract/treasury";
import { useState } from "react";
import { formatFcfa } from "../../../lib/format.ts";
import { TextField } from "../../../kit/field.tsx";
import { useDesk, useDeskWrite } from "../use-desk.ts";
import { withdrawalCopy as copy } from "../money-messages.fr.ts";
import { Choices } from "./choices.tsx";
import { CopyLine } from "./copy-line.tsx";
import { ReasonField } from "./reason-field.tsx";
import styles from "./sheet.module.css";
import { toast } from "../../../kit/toast.tsx";
import { ActSheet, type ActSheetProps } from "./act-sheet.tsx";

type Answer = AnswerOf<"POST /api/desk/withdrawals/:id/claim">;

type DecisionVerb = "claim" | "release" | "approve" | "paid" | "failed" | "reject" | "resolve";
type DecisionBody = BodyOf<`POST /api/desk/withdrawals/:id/${DecisionVerb}`>;

/** Providers are asked while the agent waits. */
const DECISION_TIMEOUT_MS = 30_000;

export function useDecision(id: string, verb: DecisionVerb) {
  return useDeskWrite(`POST /api/desk/withdrawals/:id/${verb}`, {
    params: { id },
    timeoutMs: DECISION_TIMEOUT_MS,
  });
}

/** A decision on a withdrawal. `onDone`: instead of closing. */
function DecisionSheet(
  props: Omit<ActSheetProps<DecisionBody, Answer>, "act" | "onDone"> & {
    readonly id: string;
    readonly verb: DecisionVerb;
    onDone?(answer: Answer): void;
  },
) {
  const { id, verb, onDone, ...rest } = props;
  const decision = useDecision(id, verb);
  return (
    <ActSheet
      {...rest}
      act={decision}
      onDone={(answer) => {
        toast(answer.message);
        if (onDone) onDone(answer);
        else props.onClose();
      }}
    />
  );
}

type SheetProps = { withdrawal: DeskWithdrawalDetail; onClose(): void };

export function ReleaseSheet({ withdrawal, onClose }: SheetProps) {
  return (
    <DecisionSheet
      id={withdrawal.id}
      verb="release"
      title={copy.releaseTitle}
      text={copy.releaseText}
      confirm={copy.release}
      body={{}}
      onClose={onClose}
    />
  );
}

/** By a provider: his accord alone, or the second of two. */
export function ProviderSheet(props: SheetProps & { lane: Lane; second: boolean }) {
  const { withdrawal, lane, second } = props;
  const name = LANE_NAMES[lane];
  const first = withdrawal.needs_second_agent && !second;
  return (
    <DecisionSheet
      id={withdrawal.id}
      verb="approve"
      title={copy.payByTitle(name)}
      text={first ? copy.secondNeeded : copy.payByText}
      confirm={second ? copy.confirmBy(name) : copy.payBy(name)}
      body={{ lane }}
      onClose={props.onClose}
    >
      <Money withdrawal={withdrawal} />
    </DecisionSheet>
  );
}

/**
 * By hand, in two steps: the request is approved on this lane before any money leaves a telephone,
 * so that nobody else pays it too; then the operator's reference proves the payment.
 */
export function HandSheet(props: SheetProps & { second: boolean }) {
  const { withdrawal, second, onClose } = props;
  const [paying, setPaying] = useState(withdrawal.stage === "to-pay");
  if (paying) return <ReferenceSheet withdrawal={withdrawal} onClose={onClose} />;
  const first = withdrawal.needs_second_agent && !second;
  return (
    <DecisionSheet
      key="approve"
      id={withdrawal.id}
      verb="approve"
      title={copy.hand.approveTitle}
      text={first ? copy.secondNeeded : copy.hand.approveText}
      confirm={second ? copy.confirmByHand : copy.hand.approve}
      body={{ lane: "manual" }}
      onDone={({ waiting }) => (waiting ? onClose() : setPaying(true))}
      onClose={onClose}
    >
      <Money withdrawal={withdrawal} />
    </DecisionSheet>
  );
}

function ReferenceSheet({ withdrawal, onClose }: SheetProps) {
  const [reference, setReference] = useState("");
  return (
    <DecisionSheet
      key="paid"
      id={withdrawal.id}
      verb="paid"
      title={copy.hand.payTitle}
      text={copy.hand.steps}
      confirm={copy.hand.paid}
      body={{ reference }}
      onClose={onClose}
    >
      <Money withdrawal={withdrawal} />
      <TextField
        label={copy.hand.reference}
        hint={copy.hand.referenceHint}
        value={reference}
        maxLength={80}
        onChange={setReference}
      />
    </DecisionSheet>
  );
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

export function FailedSheet({ withdrawal, onClose }: SheetProps) {
  const [reason, setReason] = useState("");
  return (
    <DecisionSheet
      id={withdrawal.id}
      verb="failed"
      title={copy.failed.title}
      text={copy.failed.text}
      confirm={copy.failed.confirm}
      look="danger"
      body={{ reason }}
      onClose={onClose}
    >
      <ReasonField label={copy.failed.reason} value={reason} onChange={setReason} />
    </DecisionSheet>
  );
}

export function RejectSheet({ withdrawal, onClose }: SheetProps) {
  const reasons = useDesk()?.reject_reasons ?? [];
  const [code, setCode] = useState<RejectCode | null>(null);
  const [reason, setReason] = useState("");
  const chosen = reasons.find((each) => each.code === code);
  return (
    <DecisionSheet
      id={withdrawal.id}
      verb="reject"
      title={copy.reject.title}
      text={copy.reject.text}
      confirm={copy.reject.confirm}
      look="danger"
      body={{ reason_code: code, ...(reason.trim() ? { reason } : {}) }}
      onClose={onClose}
    >
      <Choices
        legend={copy.reject.code}
        choices={reasons.map(({ code: value, label }) => ({ value, label }))}
        value={code}
        onChange={setCode}
      />
      {chosen ? (
        <>
          {chosen.sentence && !reason.trim() ? (
            <p className={styles.reads}>
              <span>{copy.reject.reads}</span>
              {chosen.sentence}
            </p>
          ) : null}
          <ReasonField
            label={chosen.sentence ? copy.reject.reason : copy.reject.reasonNeeded}
            hint={chosen.sentence ? copy.reject.reasonHint : undefined}
            value={reason}
            onChange={setReason}
          />
        </>
      ) : null}
    </DecisionSheet>
  );
}

const OPEN_OUTCOMES = ["link", "sent", "not-sent"] as const satisfies readonly ResolveOutcome[];

/** Its payout has ended: all that can be said of it is that it came back. */
export function hasEnded({ payout }: DeskWithdrawalDetail): boolean {
  return payout?.status === "succeeded" || payout?.status === "failed";
}

export function ResolveSheet({ withdrawal, onClose }: SheetProps) {
  const ended = hasEnded(withdrawal);
  const [outcome, setOutcome] = useState<ResolveOutcome | null>(ended ? "returned" : null);
  const [providerId, setProviderId] = useState("");
  const [reference, setReference] = useState("");
  const [reason, setReason] = useState("");
  const lane = withdrawal.payout?.lane;
  const asksReference = outcome === "sent" || outcome === "returned";
  return (
    <DecisionSheet
      id={withdrawal.id}
      verb="resolve"
      title={ended ? copy.resolve.returnedTitle : copy.resolve.title}
      text={
        ended ? copy.resolve.returnedText : lane ? copy.resolve.text(LANE_NAMES[lane]) : undefined
      }
      confirm={copy.resolve.confirm}
      body={{
        outcome,
        reason,
        ...(outcome === "link" ? { provider_payout_id: providerId } : {}),
        ...(asksReference && reference.trim() ? { reference } : {}),
      }}
      onClose={onClose}
    >
      {ended ? null : (
        <Choices<ResolveOutcome>
          legend={copy.resolve.outcome}
          choices={OPEN_OUTCOMES.map((value) => ({
            value,
            label: copy.resolve[value],
            hint: copy.resolve[`${value}Hint`],
          }))}
          value={outcome}
          onChange={setOutcome}
        />
      )}
      {outcome === "link" ? (
        <TextField label={copy.resolve.providerId} value={providerId} onChange={setProviderId} />
      ) : null}
      {asksReference ? (
        <TextField
          label={ended ? copy.resolve.returnedReference : copy.resolve.reference}
          value={reference}
          onChange={setReference}
        />
      ) : null}
      {outcome ? (
        <ReasonField label={copy.resolve.reason} value={reason} onChange={setReason} />
      ) : null}
    </DecisionSheet>
  );
}
