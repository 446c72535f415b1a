import {
  NO_REQUEST,
  WITHDRAWAL_STATUSES,
  WITHDRAWAL_STATUS_NAMES,
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
import { EmptyState } from "../../kit/empty-state.tsx";
import { FilterChips } from "../../kit/filter-chips.tsx";
import { Line, Text } from "../../kit/layout.tsx";
import { OperatorMark } from "../../kit/operator-mark.tsx";
import { NotYet } from "../../kit/not-yet.tsx";
import { Page } from "../../kit/page.tsx";
import { PullToRefresh } from "../../kit/pull-to-refresh.tsx";
import { Cell, Section } from "../../kit/section.tsx";
import { MoreButton } from "../../kit/more-button.tsx";
import { withdrawalsCopy, trackingCopy } from "./messages.fr.ts";
import { WithdrawalDetails } from "./parts/withdrawal-details.tsx";
import { sayStanding, WithdrawalBadge } from "./parts/standing.tsx";
import { useRefreshMoney } from "./money.ts";

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
          <NotYet query={list} copy={{ ...copy, retry: withdrawalsCopy.retry }} rows={5} />
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
          <WithdrawalRow
            key={demande.id}
            demande={demande}
            onOpen={() => props.onOpen(demande.id)}
          />
        ))}
      </ul>
    </Section>
  );
}

/** How much, to where, and where it is; it opens on the whole. */
function WithdrawalRow(props: { demande: WithdrawalOnWire; onOpen(): void }) {
  const { demande } = props;
  return (
    <li>
      <Cell
        before={<OperatorMark operator={demande.operateur} size={40} />}
        title={
          <Line as="span" between>
            <Text as="span" strong>
              {formatFcfa(demande.montant)}
            </Text>
            <WithdrawalBadge demande={demande} />
          </Line>
        }
        subtitle={
          <>
            <Text as="span" block>
              {demande.methode_nom} · {sayShortInstant(demande.date_creation)}
            </Text>
            <Text as="span" clamp>
              {sayStanding(demande)}
            </Text>
            {demande.automatique ? (
              <Text as="span" block>
                {copy.automatic}
              </Text>
            ) : null}
          </>
        }
        onClick={props.onOpen}
      />
    </li>
  );
}
