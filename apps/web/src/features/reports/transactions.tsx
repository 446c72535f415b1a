import { type CsvCell, csvText } from "@sesame/contract/csv";
import type { HistoryItemOnWire, HistoryPeriod, TransactionStatus } from "@sesame/contract/reports";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { offerFile } from "../../lib/offer-file.ts";
import { readAll, readPages } from "../../lib/read.ts";
import { useRefresh } from "../../lib/resources.ts";
import { haptic } from "../../telegram/native.ts";
import { Button } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { FilterChips } from "../../kit/filter-chips.tsx";
import { NotYet } from "../../kit/not-yet.tsx";
import { Page } from "../../kit/page.tsx";
import { PullToRefresh } from "../../kit/pull-to-refresh.tsx";
import { SearchField } from "../../kit/search-field.tsx";
import { Section } from "../../kit/section.tsx";
import { toast } from "../../kit/toast.tsx";
import { MoreButton } from "../../kit/more-button.tsx";
import { reportsCopy } from "./home-messages.fr.ts";
import { nameSale } from "./name-sale.ts";
import { MovementRow } from "./parts/movement-row.tsx";
import { TransactionDetails } from "./parts/transaction-details.tsx";
import { TransactionRow } from "./parts/transaction-row.tsx";

const copy = reportsCopy.transactions;

/** What the history shows; an absent filter lets everything through. */
type HistoryFilter = {
  readonly q?: string;
  readonly periode?: HistoryPeriod;
  readonly statut?: TransactionStatus;
};

/** While a word is being typed nothing is asked. */
const TYPING_MS = 250;

/** /transactions/history: sales, payouts and returns, searched and filtered by the server. */
export function Transactions() {
  const [filter, setFilter] = useState<HistoryFilter>({});
  const asked = useSettled(filter);
  const history = useInfiniteQuery({
    ...readPages("GET /api/transactions", { query: { ...asked, limit: 20, type: "all" } }),
    // What was shown stays while a word more is searched for.
    placeholderData: keepPreviousData,
  });
  const refresh = useRefresh("transactions");
  const items = history.data?.pages.flatMap((page) => page.transactions);
  return (
    <PullToRefresh label={copy.refresh} onRefresh={refresh}>
      <Page title={copy.title}>
        <Filters filter={filter} onChange={setFilter} />
        {items ? (
          <Items items={items} filter={asked} onClear={() => setFilter({})} />
        ) : (
          <NotYet query={history} copy={reportsCopy} rows={6} />
        )}
        <MoreButton pages={history} label={copy.more} />
        {items && items.length > 0 ? <Export filter={asked} /> : null}
      </Page>
    </PullToRefresh>
  );
}

/** The filter once nothing has been typed for a moment. */
function useSettled(filter: HistoryFilter): HistoryFilter {
  const [settled, setSettled] = useState(filter);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(filter), filter.q ? TYPING_MS : 0);
    return () => clearTimeout(timer);
  }, [filter]);
  return settled;
}

const STATUSES = ["success", "pending", "failed", "refunded", "cancelled"] as const;
const ALL = "all";
const PERIODS = [ALL, "today", "week", "month"] as const;

function Filters(props: { filter: HistoryFilter; onChange(filter: HistoryFilter): void }) {
  const { q, periode, statut } = props.filter;
  const change = (part: { [Name in keyof HistoryFilter]: HistoryFilter[Name] | undefined }) => {
    const merged = Object.entries({ ...props.filter, ...part });
    props.onChange(Object.fromEntries(merged.filter(([, value]) => value !== undefined)));
  };
  const choose = (part: Parameters<typeof change>[0]) => {
    haptic("selection");
    change(part);
  };
  return (
    <>
      <SearchField
        label={copy.search}
        placeholder={copy.searchShort}
        value={q ?? ""}
        onChange={(text) => change({ q: text === "" ? undefined : text.slice(0, 100) })}
      />
      <FilterChips
        label={copy.period}
        choices={PERIODS.map((value) => ({ value, label: copy.periods[value] }))}
        value={periode ?? ALL}
        onChange={(value) => choose({ periode: value === ALL ? undefined : value })}
      />
      <FilterChips
        label={copy.statusFilter}
        choices={[
          { value: ALL, label: copy.all },
          ...STATUSES.map((value) => ({ value, label: reportsCopy.status[value] })),
        ]}
        value={statut ?? ALL}
        onChange={(value) => choose({ statut: value === ALL ? undefined : value })}
      />
    </>
  );
}

function Items(props: {
  items: readonly HistoryItemOnWire[];
  filter: HistoryFilter;
  onClear(): void;
}) {
  const { items } = props;
  const [openId, setOpenId] = useState<string | null>(null);
  const open = items.find((item) => idOf(item) === openId);
  if (items.length === 0) {
    const filtered = Object.keys(props.filter).length > 0;
    return (
      <EmptyState
        drawing={filtered ? "search" : "receipt"}
        title={copy.none}
        text={filtered ? copy.noneFiltered : copy.noneText}
        action={
          filtered ? (
            <Button look="tinted" onClick={props.onClear}>
              {copy.clear}
            </Button>
          ) : undefined
        }
      />
    );
  }
  return (
    <Section>
      <ul>
        {items.map((item) => {
          const id = idOf(item);
          const onOpen = () => setOpenId(id);
          return item.type === "income" ? (
            <TransactionRow key={id} transaction={item} onOpen={onOpen} />
          ) : (
            <MovementRow key={id} movement={item} onOpen={onOpen} />
          );
        })}
      </ul>
      {open ? <TransactionDetails item={open} onClose={() => setOpenId(null)} /> : null}
    </Section>
  );
}

function idOf(item: HistoryItemOnWire): string {
  return `${item.type}:${item.id}`;
}

function Export({ filter }: { filter: HistoryFilter }) {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const query = { ...filter, limit: 100, type: "all" };
      const pages = await readAll("GET /api/transactions", { query });
      const items = pages.flatMap((page) => page.transactions);
      await offerFile(copy.file, transactionsCsv(items));
    } catch {
      toast(copy.exportFailed, "bad");
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button look="plain" icon="arrowIn" busy={busy} onClick={() => void download()}>
      {copy.export}
    </Button>
  );
}

/** The history as a spreadsheet: what left is negative, so that a column adds up. */
export function transactionsCsv(items: readonly HistoryItemOnWire[]): string {
  return csvText([[...copy.columns], ...items.map(lineOf)]);
}

/** What it adds to what the seller has: a transfer between his balances, nothing. */
const WAYS = { payout: -1, return: 1, transfer: 0 } as const;

function lineOf(item: HistoryItemOnWire): CsvCell[] {
  const status = reportsCopy.status[item.status];
  if (item.type === "income") {
    const { amount, frais, net, produitNom, nomClient, id } = item;
    const amounts = [amount, frais, net];
    return [
      item.date,
      copy.sale,
      status,
      ...amounts,
      produitNom,
      nomClient,
      nameSale(item),
      id,
      "",
    ];
  }
  const way = WAYS[item.type];
  const amounts = [way * item.amount, item.frais, way * item.net];
  const { methode_nom, numero_transfert, reference_transaction, motif } = item;
  const type = reportsCopy.movement[item.type];
  const target = [methode_nom, numero_transfert];
  return [item.date, type, status, ...amounts, ...target, "", reference_transaction, motif ?? ""];
}
