import {
  groupPhone,
  type LimitsAnswer,
  PAYOUT_METHODS,
  sayInstant,
} from "@sesame/contract/withdrawals";
import { formatFcfa, keepTogether } from "../../../lib/format.ts";
import { Dialog, type DialogAction } from "../../../kit/modal.tsx";
import { type Fact, Facts } from "../../../kit/facts.tsx";
import { Card, MoreLink, Stack } from "../../../kit/layout.tsx";
import { OperatorMark } from "../../../kit/operator-mark.tsx";
import { withdrawalsCopy } from "../messages.fr.ts";
import type { RequestControl, Step } from "../use-request.ts";
import styles from "../withdrawals.module.css";

const copy = withdrawalsCopy.confirm;

type Asking = Extract<Step, { at: "confirm" | "sending" | "silent" }>;

/** The number read back, the amount, the delay; then the server decides (B §4). */
export function ConfirmRequest(props: {
  step: Asking;
  limits: LimitsAnswer;
  control: RequestControl;
}) {
  const { step, limits, control } = props;
  const { content } = step;
  return (
    <Dialog
      title={step.at === "silent" ? copy.silentTitle : copy.title}
      locked={step.at === "sending"}
      onClose={control.back}
      actions={actionsOf(step, control)}
    >
      {step.at === "silent" ? (
        <Stack gap={2} role="alert">
          <p>{step.message}</p>
          <p>{copy.silent}</p>
          <MoreLink href="/HistoriqueRetraits">{copy.seeHistory}</MoreLink>
        </Stack>
      ) : (
        <p>{copy.check}</p>
      )}
      <Card as="p" gap={2} center>
        <OperatorMark operator={PAYOUT_METHODS[content.method].operator} size={34} />
        <span className={styles.readNumber}>{groupPhone(content.phone)}</span>
      </Card>
      <Facts
        facts={
          step.at === "silent"
            ? [{ name: copy.amount, value: formatFcfa(content.amount), strong: true }]
            : factsOf(content, limits)
        }
      />
    </Dialog>
  );
}

function actionsOf(step: Asking, control: RequestControl): DialogAction[] {
  const run = () => control.confirm(step.content);
  switch (step.at) {
    case "sending":
      return [{ label: copy.sending, busy: true, run }];
    case "silent":
      return [
        { label: withdrawalsCopy.retry, run },
        { label: withdrawalsCopy.close, look: "tinted", run: control.back },
        { label: copy.abandon, look: "plain", run: control.abandon },
      ];
    case "confirm":
      return [
        { label: copy.confirm, run },
        { label: copy.edit, look: "plain", run: control.back },
      ];
  }
}

function factsOf(content: Asking["content"], limits: LimitsAnswer): Fact[] {
  return [
    { name: copy.method, value: PAYOUT_METHODS[content.method].label },
    { name: copy.amount, value: formatFcfa(content.amount) },
    { name: copy.fee, value: formatFcfa(limits.frais) },
    { name: copy.receive, value: formatFcfa(content.amount - limits.frais), strong: true },
    { name: copy.whatsapp, value: keepTogether(groupPhone(content.whatsapp)) },
    { name: copy.delay, value: sayInstant(new Date(limits.date_limite), limits.fuseau) },
  ];
}
