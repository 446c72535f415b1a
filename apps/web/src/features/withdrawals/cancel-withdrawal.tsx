import type { WithdrawalOnWire } from "@sesame/contract/withdrawals";
import { useState } from "react";
import { useLocation } from "wouter";
import { formatFcfa } from "../../lib/format.ts";
import { read } from "../../lib/read.ts";
import { Button } from "../../kit/button.tsx";
import { Drawing } from "../../kit/drawings.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { Facts } from "../../kit/facts.tsx";
import { Card, Line, Text } from "../../kit/layout.tsx";
import { Dialog } from "../../kit/modal.tsx";
import { OperatorMark } from "../../kit/operator-mark.tsx";
import { Page } from "../../kit/page.tsx";
import { Screen } from "../../kit/screen.tsx";
import { act, Acts, useSignedIn } from "../../kit/use-action.tsx";
import { OfflineNote } from "./fields.tsx";
import { trackingCopy } from "./tracking.fr.ts";
import { factsOf, WithdrawalBadge } from "./withdrawal-details.tsx";

const copy = trackingCopy.cancelPage;
const HISTORY = "/HistoriqueRetraits";

/** /AnnulerRetrait/{id}: while it is pending and no agent has taken it (decision 63). */
export function CancelWithdrawal({ id }: { id: string }) {
  const [cancelled, setCancelled] = useState<Cancelled | null>(null);
  // Why not stands above the button.
  const may = { ...useSignedIn(), reason: null };
  return (
    <>
      <Screen
        of={{
          ...read("GET /api/users/retrait/:id", { params: { id }, pick: "demande" }),
          staleTime: 0,
        }}
        title={copy.title}
        words={copy}
        missing={copy.unknown}
        missingText={copy.unknownText}
        back={{ label: copy.toHistory, href: HISTORY }}
      >
        {(demande) => (
          <Page title={copy.title}>
            {cancelled === null && !demande.annulable ? (
              <Impossible text={copy.already[demande.status]} />
            ) : (
              <>
                <Card as="section" aria-label={copy.title}>
                  <Line gap={3} center>
                    <OperatorMark operator={demande.operateur} size={44} />
                    <Text as="strong" size="heading">
                      {formatFcfa(demande.montant)}
                    </Text>
                    <WithdrawalBadge demande={demande} />
                  </Line>
                  <Facts facts={factsOf(demande)} />
                </Card>
                <Text size="small" tone="soft">
                  {copy.restore(formatFcfa(demande.montant))}
                </Text>
                <OfflineNote />
                <Acts of={[{ ...cancel(demande, setCancelled), may }]} />
              </>
            )}
          </Page>
        )}
      </Screen>
      {cancelled === null ? null : <Done {...cancelled} />}
    </>
  );
}

/** What was given back, and what may be spent from now on. */
type Cancelled = { readonly amount: string; readonly available: number };

function cancel({ id, montant }: WithdrawalOnWire, after: (done: Cancelled) => void) {
  const amount = formatFcfa(montant);
  return act(
    "DELETE /api/users/retrait/annuler/:id",
    { params: { id } },
    {
      button: copy.action,
      look: "danger-tinted",
      title: copy.askTitle,
      text: copy.askText(amount),
      confirm: copy.yes,
      cancel: copy.no,
      done: () => "",
      after: ({ available }) => after({ amount, available: available ?? 0 }),
      failed: copy.error,
    },
  );
}

function Impossible({ text }: { text: string }) {
  const [, navigate] = useLocation();
  return (
    <EmptyState
      drawing="receipt"
      title={copy.impossible}
      text={text}
      action={<Button onClick={() => navigate(HISTORY)}>{copy.toHistory}</Button>}
    />
  );
}

/** The balance is said to be restored (B §4), and shown. */
function Done({ amount, available }: Cancelled) {
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
      <p>{copy.doneBalance(formatFcfa(available))}</p>
    </Dialog>
  );
}
