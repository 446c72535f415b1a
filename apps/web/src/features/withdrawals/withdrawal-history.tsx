import {
  NO_REQUEST,
  WITHDRAWAL_STATUS_NAMES,
  WITHDRAWAL_STATUSES,
  type WithdrawalOnWire,
  type WithdrawalStatus,
} from "@sesame/contract/withdrawals";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { formatFcfa } from "../../lib/format.ts";
import { readPages } from "../../lib/read.ts";
import { newestWithdrawalsQuery } from "../../lib/resources.ts";
import { useSession } from "../../lib/session.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { haptic } from "../../telegram/native.ts";
import { Button, IconButton } from "../../kit/button.tsx";
import { EmptyState, NotYet } from "../../kit/empty-state.tsx";
import { FilterChips } from "../../kit/choices.tsx";
import { Text } from "../../kit/layout.tsx";
import { MoreButton } from "../../kit/paged.tsx";
import { OperatorMark } from "../../kit/operator-mark.tsx";
import { Page } from "../../kit/page.tsx";
import { PullToRefresh } from "../../kit/pull-to-refresh.tsx";
import { joined } from "../../kit/records.tsx";
import { Cell, Section } from "../../kit/section.tsx";
import { trackingCopy } from "./tracking.fr.ts";
import { useRefreshMoney } from "./money.ts";
import { sayStanding, WithdrawalBadge, WithdrawalDetails } from "./withdrawal-details.tsx";

const copy = trackingCopy.history;

type StatusFilter = "all" | WithdrawalStatus;

const FILTERS = [
  { value: "all" as StatusFilter, label: copy.all },
  ...WITHDRAWAL_STATUSES.map((value) => ({ value, label: WITHDRAWAL_STATUS_NAMES[value] })),
];

/** A refresh is seen to happen (A §9). */
const SPINNER_MS = 1_000;

/** /HistoriqueRetraits: every request, live. */
export function WithdrawalHistory() {
  const [status, setStatus] = useState<StatusFilter>("all");
  const [openId, setOpenId] = useState<string | null>(null);
  const [refreshing, setRefreshing] = useState(false);
  const { rows, list } = useWithdrawals(status);
  const refreshMoney = useRefreshMoney();
  const refresh = async () => {
    setRefreshing(true);
    const spun = new Promise((resolve) => setTimeout(resolve, SPINNER_MS));
    await Promise.all([refreshMoney(), spun]);
    setRefreshing(false);
  };
  const open = rows?.find(({ id }) => id === openId);
  return (
    <PullToRefresh label={copy.refresh} onRefresh={refreshMoney}>
      <Page
        title={copy.title}
        subtitle={copy.subtitle}
        actions={
          <IconButton
            icon="refresh"
            label={copy.refresh}
            busy={refreshing}
            onClick={() => void refresh()}
          />
        }
      >
        <FilterChips
          label={copy.filter}
          choices={FILTERS}
          value={status}
          onChange={(value) => {
            haptic("selection");
            setStatus(value);
          }}
        />
        {rows ? (
          <Rows rows={rows} filtered={status !== "all"} onOpen={setOpenId} />
        ) : (
          <NotYet query={list} copy={copy} rows={5} />
        )}
        <MoreButton pages={list} label={copy.more} />
      </Page>
      {open ? <WithdrawalDetails demande={open} onClose={() => setOpenId(null)} /> : null}
    </PullToRefresh>
  );
}

/** From the server; what the last sign-in said while it is silent. */
function useWithdrawals(status: StatusFilter) {
  const list = useInfiniteQuery(
    readPages("GET /api/users/retrait/mes-demandes", {
      query: { status: status === "all" ? "" : status },
    }),
  );
  const client = useQueryClient();
  const silent = useSession().at !== "live";
  const saved = silent ? client.getQueryData(newestWithdrawalsQuery.queryKey) : undefined;
  const rows =
    list.data?.pages.flatMap((page) => page.demandes) ??
    saved?.filter((row) => status === "all" || row.status === status);
  return { list, rows };
}

function Rows(props: {
  rows: readonly WithdrawalOnWire[];
  filtered: boolean;
  onOpen(id: string): void;
}) {
  const [, navigate] = useLocation();
  if (props.rows.length === 0) {
    return (
      <EmptyState
        drawing="receipt"
        title={NO_REQUEST}
        text={props.filtered ? copy.noneOfStatus : copy.noneText}
        action={
          props.filtered ? undefined : (
            <Button onClick={() => navigate("/retrait")}>{copy.ask}</Button>
          )
        }
      />
    );
  }
  return (
    <Section>
      <ul>
        {props.rows.map((demande) => (
          <li key={demande.id}>
            <WithdrawalRow demande={demande} onOpen={() => props.onOpen(demande.id)} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** How much, to where, and where it is; it opens on the whole. */
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
