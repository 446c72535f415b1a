import { sayInstant } from "@sesame/contract";
import {
  groupPhone,
  type LimitsAnswer,
  PAYOUT_METHODS,
  WITHDRAWAL_STATUS_NAMES,
  type WithdrawalOnWire,
} from "@sesame/contract/withdrawals";
import { useQuery } from "@tanstack/react-query";
import { formatFcfa } from "../../lib/format.ts";
import { read } from "../../lib/read.ts";
import { HISTORY } from "../../lib/text.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { Button, PlainButton } from "../../kit/button.tsx";
import { type Fact, Facts } from "../../kit/facts.tsx";
import { Arch, Card, MoreLink, Stack, Text } from "../../kit/layout.tsx";
import { kitCopy } from "../../kit/messages.fr.ts";
import { Dialog, type DialogAction, Sheet } from "../../kit/modal.tsx";
import { OperatorMark } from "../../kit/operator-mark.tsx";
import { withdrawalsCopy } from "./messages.fr.ts";
import type { RequestControl, Step } from "./request.ts";
import { trackingCopy } from "./tracking.fr.ts";
import { Note } from "../../kit/records.tsx";

const { form, confirm: copy, sent: said } = withdrawalsCopy;
const { details, row } = trackingCopy;

type Asking = Extract<Step, { at: "confirm" | "sending" | "silent" }>;

/** After the form was checked: confirms number, amount and delay; then the server checks everything (B §4). */
export function RequestDialogs(props: { limits: LimitsAnswer; control: RequestControl }) {
  const { limits, control } = props;
  const { step } = control;
  if (step.at === "form") return null;
  if (step.at === "sent") {
    return <SentSheet demande={step.demande} limits={limits} onClose={control.back} />;
  }
  const { content } = step;
  return (
    <Dialog
      title={step.at === "silent" ? copy.silentTitle : copy.title}
      locked={step.at === "sending"}
      onClose={control.back}
      actions={actionsOf(step, control)}
    >
      <Card gap={2} center data-arch="">
        <OperatorMark operator={PAYOUT_METHODS[content.method].operator} size={34} />
        <Text as="strong" size="title">
          {groupPhone(content.phone)}
        </Text>
        {step.at === "silent" ? null : <p>{copy.check}</p>}
      </Card>
      {step.at === "silent" ? (
        <Stack gap={2} role="alert">
          <p>{step.message}</p>
          <p>{copy.silent}</p>
          <MoreLink href={HISTORY}>{said.history}</MoreLink>
        </Stack>
      ) : null}
      <Facts
        facts={
          step.at === "silent"
            ? [[form.amount, formatFcfa(content.amount), true]]
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
        { label: kitCopy.retry, run },
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
    [details.method, PAYOUT_METHODS[content.method].label],
    [form.amount, formatFcfa(content.amount)],
    [details.fee, formatFcfa(limits.frais)],
    [copy.receive, formatFcfa(content.amount - limits.frais), true],
    [copy.delay, sayInstant(new Date(limits.date_limite), limits.fuseau)],
    [details.whatsapp, groupPhone(content.whatsapp)],
  ];
}

/** The request is accepted; the sheet stays true while it is open, and the history shows the rest. */
function SentSheet(props: { demande: WithdrawalOnWire; limits: LimitsAnswer; onClose(): void }) {
  const { id } = props.demande;
  const query = read("GET /api/users/retrait/:id", { params: { id }, pick: "demande" });
  const demande = useQuery(query).data ?? props.demande;
  const { title, next } = standingOf(demande, props.limits);
  return (
    <Sheet title={title} onClose={props.onClose}>
      <Stack center>
        <Arch icon="check" large />
        <Text size="heading" role="status">
          {said.text(formatFcfa(demande.montant))}{" "}
          <Text as="span" whole>
            {groupPhone(demande.numero_transfert)}
          </Text>
        </Text>
        <Note>
          {next}
          <br />
          {details.reference} {demande.reference_transaction}
        </Note>
        <Button href={HISTORY}>{said.history}</Button>
        <PlainButton onClick={props.onClose}>{withdrawalsCopy.close}</PlainButton>
      </Stack>
    </Sheet>
  );
}

/** The money may arrive, or an agent refuse, while the sheet is open. */
function standingOf(demande: WithdrawalOnWire, limits: LimitsAnswer) {
  if (demande.date_paiement !== null) {
    return { title: details.paid, next: row.received(sayShortInstant(demande.date_paiement)) };
  }
  if (demande.status === "rejected")
    return { title: WITHDRAWAL_STATUS_NAMES.rejected, next: demande.motif };
  const deadline = sayInstant(new Date(demande.date_limite), limits.fuseau);
  return { title: said.title, next: said.delay(deadline) };
}
