import { CRASHED, IMPOSSIBLE, REQUEST_NOT_FOUND } from "@sesame/contract";
import {
  NO_REQUEST,
  WITHDRAWALS_OFFLINE,
  WITHDRAWAL_STATUS_NAMES,
  groupPhone,
  type WithdrawalOnWire,
  type WithdrawalStatus,
} from "@sesame/contract/withdrawals";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { HISTORY } from "../../lib/text.ts";
import { formatFcfa, formatInstant } from "../../lib/format.ts";
import { read } from "../../lib/read.ts";
import { useRefresh, withdrawalsQuery } from "../../lib/resources.ts";
import { useSession } from "../../lib/session.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { atLeastASecond } from "../../lib/use-write.ts";
import { Badge, type BadgeTone, Button, RefreshButton, TintedButton } from "../../kit/button.tsx";
import { Empty, Page, Screen } from "../../kit/screen.tsx";
import { FilterChips } from "../../kit/choices.tsx";
import { Card, Cell, Line, Text } from "../../kit/layout.tsx";
import { OperatorMark } from "../../kit/operator-mark.tsx";
import { Paged } from "../../kit/paged.tsx";
import { joined, Rows, Note } from "../../kit/records.tsx";
import { trackingCopy } from "./tracking.fr.ts";
import { Facts, type Fact } from "../../kit/facts.tsx";
import { Dialog, Sheet } from "../../kit/modal.tsx";
import { Drawing } from "../../kit/drawings.tsx";
import { Acts, act, useSignedIn } from "../../kit/use-action.tsx";

const copy = trackingCopy.history;

type StatusFilter = "all" | WithdrawalStatus;

/** /HistoriqueRetraits: every request, live. */
export function WithdrawalHistory() {
  const [status, setStatus] = useState<StatusFilter>("all");
  const refreshMoney = useRefresh("withdrawals", "user", "transactions");
  return (
    <Page
      refresh={refreshMoney}
      title={copy.title}
      subtitle={copy.subtitle}
      actions={<RefreshButton run={() => atLeastASecond(refreshMoney())} />}
    >
      <FilterChips
        label={copy.filter}
        choices={{ all: copy.all, ...WITHDRAWAL_STATUS_NAMES }}
        value={status}
        onChange={setStatus}
      />
      <Paged
        of={useRequests(status)}
        rows={({ demandes }) => demandes}
        words={copy}
        empty={
          status === "all" ? (
            <Empty of={["receipt", NO_REQUEST, copy.noneText]}>
              <Button href="/retrait">{copy.ask}</Button>
            </Empty>
          ) : (
            ["receipt", NO_REQUEST, copy.noneOfStatus]
          )
        }
      >
        {(rows) => <Requests rows={rows} />}
      </Paged>
    </Page>
  );
}

/** Of one status: until the server answers, or without a network, those among the requests read before. */
function useRequests(status: StatusFilter) {
  const client = useQueryClient();
  const all = withdrawalsQuery();
  if (status === "all") return all;
  return {
    ...withdrawalsQuery(status),
    initialData: () => {
      const known = client.getQueryData(all.queryKey)?.pages.flatMap(({ demandes }) => demandes);
      const demandes = known?.filter((demande) => demande.status === status) ?? [];
      // Without one nothing is known: the server may have older ones.
      if (demandes.length === 0) return undefined;
      const page = { success: true, demandes, next_cursor: null } as const;
      return { pages: [page], pageParams: [""] };
    },
    initialDataUpdatedAt: () => client.getQueryState(all.queryKey)?.dataUpdatedAt,
  };
}

function Requests({ rows }: { rows: readonly WithdrawalOnWire[] }) {
  const [openId, setOpenId] = useState<string | null>(null);
  const open = rows.find(({ id }) => id === openId);
  return (
    <>
      <Rows>
        {rows.map((demande) => (
          <WithdrawalRow key={demande.id} demande={demande} onOpen={() => setOpenId(demande.id)} />
        ))}
      </Rows>
      {open ? <WithdrawalDetails demande={open} onClose={() => setOpenId(null)} /> : null}
    </>
  );
}

/** A row of the list: amount, method, state. A tap opens the details. */
function WithdrawalRow(props: { demande: WithdrawalOnWire; onOpen(): void }) {
  const { demande } = props;
  const standing = sayStanding(demande);
  return (
    <Cell
      before={<OperatorMark operator={demande.operateur} size={40} />}
      title={<strong>{formatFcfa(demande.montant)}</strong>}
      subtitle={
        <>
          <Text as="span" block>
            {joined(
              sayShortInstant(demande.date_creation),
              demande.methode_nom,
              demande.automatique && copy.automatic,
            )}
          </Text>
          {standing ? (
            <Text as="span" clamp>
              {standing}
            </Text>
          ) : null}
        </>
      }
      after={<WithdrawalBadge demande={demande} />}
      onClick={props.onOpen}
    />
  );
}

const { details, cancelPage } = trackingCopy;

/** The details of a request: dates, reason, and possible actions. */
function WithdrawalDetails(props: { demande: WithdrawalOnWire; onClose(): void }) {
  const { demande, onClose } = props;
  const live = useSession().at === "live";
  const [, navigate] = useLocation();
  const go = (path: string) => () => {
    onClose();
    navigate(path);
  };
  return (
    <Sheet title={formatFcfa(demande.montant)} onClose={onClose}>
      <Line gap={3} center>
        <OperatorMark operator={demande.operateur} size={44} />
        <WithdrawalBadge demande={demande} />
      </Line>
      {demande.status === "rejected" ? (
        <Card gap={1} wrong>
          <Text as="strong" tone="brick">
            {details.reason}
          </Text>
          <p>{demande.motif}</p>
          <p>{details.returned}</p>
        </Card>
      ) : null}
      <Facts facts={[...datesOf(demande), ...factsOf(demande)]} />
      {demande.status === "pending" && !demande.annulable ? (
        <Note>{cancelPage.already.pending}</Note>
      ) : null}
      {demande.late ? (
        <>
          <Text size="small" tone="amber">
            {details.lateText}
          </Text>
          <TintedButton onClick={go(`/CustomerSupport?retrait=${demande.id}`)}>
            {details.support}
          </TintedButton>
        </>
      ) : null}
      {demande.annulable && live ? (
        <Button look="danger-tinted" onClick={go(`/AnnulerRetrait/${demande.id}`)}>
          {cancelPage.action}
        </Button>
      ) : null}
      {demande.status === "rejected" ? (
        <TintedButton onClick={go("/retrait")}>{details.again}</TintedButton>
      ) : null}
    </Sheet>
  );
}

/** What happened, in the order it happened, and what comes next. */
function datesOf(demande: WithdrawalOnWire): Fact[] {
  const { status, annulable, late, date_limite: limit, date_paiement: paid } = demande;
  const decided = demande.date_decision ? formatInstant(demande.date_decision) : "";
  return [
    [details.asked, formatInstant(demande.date_creation)],
    [
      annulable ? details.waiting : details.taken,
      status === "pending" && details[late ? "late" : "expected"](formatInstant(limit)),
    ],
    [WITHDRAWAL_STATUS_NAMES[status], status !== "pending" && decided],
    [
      details.paid,
      status === "approved" && (paid ? formatInstant(paid) : details.sending),
      paid !== null,
    ],
  ];
}

function factsOf(demande: WithdrawalOnWire): Fact[] {
  return [
    [details.method, demande.methode_nom],
    [details.phone, groupPhone(demande.numero_transfert)],
    [details.whatsapp, groupPhone(demande.numero_whatsapp)],
    [details.fee, formatFcfa(0)],
    [details.origin, demande.automatique && details.automatic],
    [details.reference, demande.reference_transaction],
  ];
}

const row = trackingCopy.row;

const TONES: Readonly<Record<WithdrawalStatus, BadgeTone>> = {
  pending: "warning",
  approved: "accent",
  rejected: "danger",
  cancelled: "neutral",
};

function WithdrawalBadge({ demande: { status, date_paiement } }: { demande: WithdrawalOnWire }) {
  // Received: the same word as in the history of transactions.
  if (date_paiement !== null) return <Badge tone="positive">{details.received}</Badge>;
  return <Badge tone={TONES[status]}>{WITHDRAWAL_STATUS_NAMES[status]}</Badge>;
}

/** One line on where it is now. */
function sayStanding(demande: WithdrawalOnWire): string {
  switch (demande.status) {
    case "pending":
      return row[demande.late ? "late" : "before"](sayShortInstant(demande.date_limite));
    case "approved":
      return demande.date_paiement === null
        ? row.underWay
        : row.received(sayShortInstant(demande.date_paiement));
    case "rejected":
      return demande.motif ?? "";
    case "cancelled":
      return row.cancelled(sayShortInstant(demande.date_decision ?? demande.date_creation));
  }
}

/** /AnnulerRetrait/{id}: while it is pending and no agent has taken it (decision 63). */
export function CancelWithdrawal({ id }: { id: string }) {
  const [cancelled, setCancelled] = useState<Cancelled | null>(null);
  const offline = useSession().at === "offline";
  // The reason stands above the button.
  const may = { ...useSignedIn(), reason: null };
  return (
    <>
      <Screen
        of={{
          ...read("GET /api/users/retrait/:id", { params: { id }, pick: "demande" }),
          staleTime: 0,
        }}
        title={cancelPage.title}
        words={cancelPage}
        missing={REQUEST_NOT_FOUND}
        missingText={cancelPage.missingText}
        back={{ label: cancelPage.toHistory, href: HISTORY }}
      >
        {(demande) => (
          <Page title={cancelPage.title}>
            {cancelled === null && !demande.annulable ? (
              <Empty of={["receipt", IMPOSSIBLE, cancelPage.already[demande.status]]}>
                <Button href={HISTORY}>{cancelPage.toHistory}</Button>
              </Empty>
            ) : (
              <>
                <Card as="section" aria-label={cancelPage.title}>
                  <Line between>
                    <Line gap={3}>
                      <OperatorMark operator={demande.operateur} size={44} />
                      <Text as="strong" size="heading">
                        {formatFcfa(demande.montant)}
                      </Text>
                    </Line>
                    <WithdrawalBadge demande={demande} />
                  </Line>
                  <Facts facts={factsOf(demande)} />
                </Card>
                <Note>{cancelPage.restore(formatFcfa(demande.montant))}</Note>
                {offline ? <Note>{WITHDRAWALS_OFFLINE}</Note> : null}
                <Acts of={{ ...cancel(demande, setCancelled), may }} />
              </>
            )}
          </Page>
        )}
      </Screen>
      {cancelled === null ? null : <Done {...cancelled} />}
    </>
  );
}

/** The amount that was given back, and the available balance since. */
type Cancelled = { readonly amount: string; readonly available: number };

function cancel({ id, montant }: WithdrawalOnWire, after: (done: Cancelled) => void) {
  const amount = formatFcfa(montant);
  return act("DELETE /api/users/retrait/annuler/:id", {
    params: { id },
    button: cancelPage.action,
    look: "danger-tinted",
    title: cancelPage.askTitle,
    text: cancelPage.askText(amount),
    confirm: cancelPage.yes,
    cancel: cancelPage.no,
    done: () => "",
    after: ({ available }) => after({ amount, available: available ?? 0 }),
    failed: CRASHED,
  });
}

/** Says that the balance is restored (B §4), and shows it. */
function Done({ amount, available }: Cancelled) {
  const [, navigate] = useLocation();
  const leave = () => navigate(HISTORY, { replace: true });
  return (
    <Dialog
      title={cancelPage.done}
      picture={<Drawing name="coins" />}
      onClose={leave}
      actions={[{ label: cancelPage.toHistory, run: leave }]}
    >
      <p role="status">{cancelPage.doneText(amount)}</p>
      <p>{cancelPage.doneBalance(formatFcfa(available))}</p>
    </Dialog>
  );
}
