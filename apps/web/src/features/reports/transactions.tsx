import { sayDuration } from "@sesame/contract";
import { groupPhone } from "@sesame/contract/withdrawals";
import { type CsvCell, csvText } from "@sesame/contract/csv";
import type {
  HistoryItemOnWire,
  HistoryPeriod,
  MovementOnWire,
  TransactionOnWire,
  TransactionStatus,
} from "@sesame/contract/reports";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { HISTORY } from "../../lib/text.ts";
import { formatFcfa, formatInstant } from "../../lib/format.ts";
import { later } from "../../lib/later.ts";
import { read, readAll, readPages } from "../../lib/read.ts";
import { useRefresh } from "../../lib/resources.ts";
import { sheetInstant, sayShortInstant } from "../../lib/time-words.fr.ts";
import { TintedButton } from "../../kit/button.tsx";
import { Empty, NotYet, Page } from "../../kit/screen.tsx";
import { type Fact, Facts } from "../../kit/facts.tsx";
import { FilterChips, SearchField } from "../../kit/choices.tsx";
import { Text } from "../../kit/layout.tsx";
import { Sheet } from "../../kit/modal.tsx";
import { OperatorMark } from "../../kit/operator-mark.tsx";
import { ExportButton, Paged } from "../../kit/paged.tsx";
import { Rows } from "../../kit/records.tsx";
import { reportsCopy } from "./home-messages.fr.ts";
import { HistoryRow, nameSale, StatusBadge, TransactionRow } from "./transaction-row.tsx";

const { details, transactions: copy } = reportsCopy;

/** The filters of the history; an absent filter matches everything. */
type HistoryFilter = {
  readonly q?: string;
  readonly periode?: HistoryPeriod;
  readonly statut?: TransactionStatus;
};

/** The search waits until the typing pauses. */
const TYPING_MS = 250;

const ALL = "all";

/** /transactions/history: sales, payouts and returns, searched and filtered by the server. */
export function Transactions() {
  const [filter, setFilter] = useState<HistoryFilter>({});
  const asked = useSettled(filter);
  const refresh = useRefresh("transactions");
  const filtered = Object.values(asked).some((value) => value !== undefined);
  const change = (part: HistoryFilter) => setFilter({ ...filter, ...part });
  return (
    <Page refresh={refresh} title={copy.title}>
      <SearchField
        label={copy.search}
        placeholder={copy.searchShort}
        value={filter.q ?? ""}
        onChange={(text) => change({ q: text === "" ? undefined : text.slice(0, 100) })}
      />
      <FilterChips
        label={copy.period}
        choices={copy.periods}
        value={filter.periode ?? ALL}
        onChange={(value) => change({ periode: value === ALL ? undefined : value })}
      />
      <FilterChips
        label={details.status}
        choices={{ all: copy.all, ...reportsCopy.status }}
        value={filter.statut ?? ALL}
        onChange={(value) => change({ statut: value === ALL ? undefined : value })}
      />
      <Paged
        of={readPages("GET /api/transactions", { query: { ...asked, limit: 20, type: "all" } })}
        rows={({ transactions }) => transactions}
        words={{ ...reportsCopy, more: copy.more }}
        empty={
          filtered ? (
            <Empty of={["search", copy.none, copy.noneFiltered]}>
              <TintedButton onClick={() => setFilter({})}>{copy.clear}</TintedButton>
            </Empty>
          ) : (
            ["receipt", copy.none, copy.noneText]
          )
        }
        foot={({ first }) =>
          first.transactions.length > 0 ? (
            <ExportButton
              look="plain"
              of={() => readHistory(asked)}
              name={copy.file}
              words={copy}
            />
          ) : null
        }
      >
        {(items) => <Items items={items} />}
      </Paged>
    </Page>
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

function Items({ items }: { items: readonly HistoryItemOnWire[] }) {
  const [openId, setOpenId] = useState<string | null>(null);
  const open = items.find((item) => idOf(item) === openId);
  return (
    <>
      <Rows>
        {items.map((item) => {
          const id = idOf(item);
          const onOpen = () => setOpenId(id);
          return item.type === "income" ? (
            <TransactionRow key={id} transaction={item} onOpen={onOpen} />
          ) : (
            <MovementRow key={id} movement={item} onOpen={onOpen} />
          );
        })}
      </Rows>
      {open ? <TransactionDetails item={open} onClose={() => setOpenId(null)} /> : null}
    </>
  );
}

function idOf(item: HistoryItemOnWire): string {
  return `${item.type}:${item.id}`;
}

async function readHistory(filter: HistoryFilter): Promise<string> {
  const query = { ...filter, limit: 100, type: "all" };
  const pages = await readAll("GET /api/transactions", { query });
  return transactionsCsv(pages.flatMap((page) => page.transactions));
}

/** The history as a spreadsheet: its last column adds up to the balance, to the franc. */
export function transactionsCsv(items: readonly HistoryItemOnWire[]): string {
  return csvText([[...copy.columns], ...items.map(lineOf)]);
}

function lineOf(item: HistoryItemOnWire): CsvCell[] {
  const [date, status] = [sheetInstant(item.date), reportsCopy.status[item.status]];
  if (item.type === "income") {
    const { direct, amount, frais, net, produitNom, nomClient, id, balance_change } = item;
    const type = direct ? copy.directSale : copy.sale;
    const sold = [produitNom, nomClient, nameSale(item), id, ""];
    return [date, type, status, amount, frais, net, ...sold, balance_change];
  }
  const way = wayOf(item);
  const { methode_nom, numero_transfert, reference_transaction, motif, balance_change } = item;
  const type = reportsCopy.movement[item.type];
  const amounts = [(way || 1) * item.amount, item.frais, way * item.net];
  const target = [methode_nom, numero_transfert, "", reference_transaction, motif ?? ""];
  return [date, type, status, ...amounts, ...target, balance_change];
}

/** 1: into the balance, -1: out of it, 0: the balance is unchanged. A pending payout counts as out. */
function wayOf({ type, status, balance_change }: MovementOnWire): number {
  return type === "payout" && status === "pending" ? -1 : Math.sign(balance_change);
}

/** Money that left for the seller's phone, or came back from there. */
function MovementRow({ movement, onOpen }: { movement: MovementOnWire; onOpen(): void }) {
  const { type, status, amount, operateur, methode_nom, date } = movement;
  const way = wayOf(movement);
  const sign = way < 0 ? "−" : way > 0 ? "+" : "";
  return (
    <HistoryRow
      before={<OperatorMark operator={operateur} size={42} />}
      name={reportsCopy.movement[type]}
      text={`${methode_nom} · ${sayShortInstant(date)}`}
      amount={`${sign}${formatFcfa(amount)}`}
      came={type === "return"}
      status={status}
      onOpen={onOpen}
    />
  );
}

/** One transaction, whole (B §2). */
function TransactionDetails(props: { item: HistoryItemOnWire; onClose(): void }) {
  const { item, onClose } = props;
  const next = nextOf(item);
  const title = item.type === "income" ? item.nomClient : reportsCopy.movement[item.type];
  return (
    <Sheet title={title} onClose={onClose}>
      <Text tone="soft" center>
        {item.type === "income"
          ? item.direct && details.directText
          : details.movementText[item.type]}
      </Text>
      <Facts
        facts={[
          [details.status, <StatusBadge key="status" status={item.status} />],
          [details.date, formatInstant(item.date)],
          ...(item.type === "income" ? saleFacts(item) : movementFacts(item)),
        ]}
      />
      {item.type === "income" ? <SaleRefund sale={item} /> : null}
      {next ? <TintedButton href={next.to}>{next.label}</TintedButton> : null}
    </Sheet>
  );
}

function nextOf(item: HistoryItemOnWire): { to: string; label: string } | null {
  switch (item.type) {
    case "income":
      return { to: `/ProductCard/${item.idProduit}`, label: details.seeProduct };
    case "transfer":
      return { to: "/Plans", label: details.seePlans };
    case "payout":
    case "return":
      return { to: HISTORY, label: details.seeWithdrawals };
    case "write-off":
      return null;
  }
}

function saleFacts(sale: TransactionOnWire): Fact[] {
  return [
    [details.amount, formatFcfa(sale.amount)],
    [reportsCopy.direct, sale.direct && formatFcfa(sale.amount), true],
    [details.fee, !sale.direct && formatFcfa(sale.frais)],
    [
      sale.status === "refunded" ? details.netTakenBack : details.net,
      !sale.direct && formatFcfa(sale.net),
      true,
    ],
    [details.product, sale.produitNom],
    [details.buyer, sale.nomClient],
    [copy.sale, nameSale(sale)],
    [details.duration, sale.duration > 0 && sayDuration(sale.duration)],
    [details.number, sale.id],
  ];
}

function movementFacts(movement: MovementOnWire): Fact[] {
  if (movement.type === "transfer") {
    return [
      [details.moved, formatFcfa(movement.amount), true],
      [details.way, movement.methode_nom],
      [details.reference, movement.reference_transaction],
    ];
  }
  if (movement.type === "write-off") {
    return [
      [details.writtenOff, formatFcfa(movement.amount), true],
      [details.reason, movement.methode_nom],
    ];
  }
  const amount = movement.type === "return" ? details.returned : details.sent;
  return [
    [amount, formatFcfa(movement.amount), true],
    [details.fee, formatFcfa(movement.frais)],
    [details.method, movement.methode_nom],
    [details.phone, groupPhone(movement.numero_transfert)],
    [details.reason, movement.motif],
    [details.reference, movement.reference_transaction],
  ];
}

const loadRefund = () => import("../../lib/refund.tsx");
const RefundStatus = later(loadRefund, "RefundStatus");
const RefundButton = later(loadRefund, "RefundButton");

/** Of a paid sale: the refund button, or its refund and its complaint. */
function SaleRefund({ sale }: { sale: TransactionOnWire }) {
  const wasPaid = sale.status === "success" || sale.status === "refunded";
  const order = useQuery({
    ...read("GET /api/orders/:id", { params: { id: sale.id } }),
    enabled: wasPaid,
  });
  if (!wasPaid) return null;
  if (!order.data) return <NotYet query={order} rows={1} />;
  const { refund, complaint, status } = order.data;
  return (
    <>
      <Suspense>{refund ? <RefundStatus refund={refund} /> : null}</Suspense>
      {complaint ? (
        <TintedButton href={`/reclamations/${complaint.id}`}>{details.complaint}</TintedButton>
      ) : null}
      <Suspense>{status === "paid" ? <RefundButton sale={sale} /> : null}</Suspense>
    </>
  );
}
