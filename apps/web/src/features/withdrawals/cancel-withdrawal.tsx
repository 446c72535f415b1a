import type { WithdrawalOnWire } from "@sesame/contract/withdrawals";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { formatFcfa } from "../../lib/format.ts";
import { read } from "../../lib/read.ts";
import { RequestError, sayError } from "../../lib/request.ts";
import { useSession } from "../../lib/session.ts";
import { useUser } from "../../lib/use-seller.ts";
import { useSend } from "../../lib/use-write.ts";
import { haptic } from "../../telegram/native.ts";
import { Button } from "../../kit/button.tsx";
import { Drawing } from "../../kit/drawings.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { Facts } from "../../kit/facts.tsx";
import { Card, Line, Text } from "../../kit/layout.tsx";
import { Dialog } from "../../kit/modal.tsx";
import { OperatorMark } from "../../kit/operator-mark.tsx";
import { NotYet } from "../../kit/not-yet.tsx";
import { Page } from "../../kit/page.tsx";
import { withdrawalsCopy, trackingCopy } from "./messages.fr.ts";
import { OfflineNote } from "./parts/offline-note.tsx";
import { WithdrawalBadge } from "./parts/standing.tsx";
import { factsOf } from "./parts/withdrawal-details.tsx";
import { useRefreshMoney } from "./money.ts";

const copy = trackingCopy.cancelPage;
const HISTORY = "/HistoriqueRetraits";

/** /AnnulerRetrait/{id}: while it is pending and no agent has taken it (decision 63). */
export function CancelWithdrawal({ id }: { id: string }) {
  const demande = useQuery({
    ...read("GET /api/users/retrait/:id", { params: { id }, pick: "demande" }),
    staleTime: 0,
  });
  const { error } = demande;
  const unknown = error instanceof RequestError && (error.status === 404 || error.status === 400);
  return (
    <Page title={copy.title}>
      {demande.data ? (
        <Request demande={demande.data} />
      ) : unknown ? (
        <Nothing title={copy.unknown} text={copy.unknownText} />
      ) : (
        <NotYet query={demande} copy={{ ...copy, retry: withdrawalsCopy.retry }} />
      )}
    </Page>
  );
}

function Nothing(props: { title: string; text: string }) {
  const [, navigate] = useLocation();
  return (
    <EmptyState
      drawing="receipt"
      title={props.title}
      text={props.text}
      action={<Button onClick={() => navigate(HISTORY)}>{copy.toHistory}</Button>}
    />
  );
}

type Step =
  | { readonly at: "page" }
  | { readonly at: "asking"; readonly complaint: string | null }
  | { readonly at: "done" };

function Request({ demande }: { demande: WithdrawalOnWire }) {
  const [step, setStep] = useState<Step>({ at: "page" });
  const live = useSession().at === "live";
  if (step.at !== "done" && !demande.annulable) {
    return <Nothing title={copy.impossible} text={copy.already[demande.status]} />;
  }
  const amount = formatFcfa(demande.montant);
  return (
    <>
      <Card as="section" aria-label={copy.title}>
        <Line gap={3} center>
          <OperatorMark operator={demande.operateur} size={44} />
          <Text as="strong" size="heading">
            {amount}
          </Text>
          <WithdrawalBadge demande={demande} />
        </Line>
        <Facts facts={factsOf(demande)} />
      </Card>
      <Text size="small" tone="soft">
        {copy.restore(amount)}
      </Text>
      <OfflineNote />
      <Button
        look="danger"
        disabled={!live}
        onClick={() => setStep({ at: "asking", complaint: null })}
      >
        {copy.action}
      </Button>
      {step.at === "asking" ? (
        <Question demande={demande} complaint={step.complaint} onStep={setStep} />
      ) : null}
      {step.at === "done" ? <Done amount={amount} /> : null}
    </>
  );
}

function Question(props: {
  demande: WithdrawalOnWire;
  complaint: string | null;
  onStep(step: Step): void;
}) {
  const { demande, complaint, onStep } = props;
  const refresh = useRefreshMoney();
  const cancel = useSend("DELETE /api/users/retrait/annuler/:id", {
    params: { id: demande.id },
    onSettled: () => void refresh(),
  });
  const close = () => onStep({ at: "page" });
  const run = () =>
    cancel.mutate(undefined, {
      onSuccess: () => {
        haptic("success");
        onStep({ at: "done" });
      },
      onError: (error) => {
        haptic("error");
        onStep({ at: "asking", complaint: sayError(error, copy.error) });
      },
    });
  return (
    <Dialog
      title={copy.askTitle}
      onClose={close}
      actions={[
        { label: copy.yes, look: "danger", busy: cancel.isPending, run },
        { label: copy.no, look: "plain", run: close },
      ]}
    >
      {complaint === null ? (
        copy.askText(formatFcfa(demande.montant))
      ) : (
        <Text size="small" tone="brick" role="alert">
          {complaint}
        </Text>
      )}
    </Dialog>
  );
}

/** The balance is said to be restored (B §4), and shown. */
function Done({ amount }: { amount: string }) {
  const user = useUser();
  const [, navigate] = useLocation();
  const leave = () => navigate(HISTORY, { replace: true });
  return (
    <Dialog
      title={copy.done}
      picture={<Drawing name="coins" />}
      onClose={leave}
      actions={[{ label: copy.toHistory, run: leave }]}
    >
      <p role="status">{copy.doneText(amount)}</p>
      {user ? <p>{copy.doneBalance(formatFcfa(user.soldeDisponible))}</p> : null}
    </Dialog>
  );
}
