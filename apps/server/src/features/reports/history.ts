import {
  HISTORY_TYPES,
  type HistoryItemOnWire,
  type HistoryType,
  type MovementOnWire,
  NAMELESS_BUYER,
  PLAN_MOVE_WAYS,
  type TransactionOnWire,
  type TransactionStatus,
  type TransactionsAnswer,
  type TransactionsQuery,
} from "@sesame/contract/reports";
import { sayMethod } from "@sesame/contract/withdrawals";
import { fcfa, fcfaToJson } from "@sesame/kernel";
import type { App } from "../../app.ts";
import type { Db } from "../../postgres/database.ts";
import { mapPart, type SellerPart } from "../../postgres/parts.ts";
import {
  type HistoryFilter,
  type HistoryPosition,
  startOfPeriod,
  writeCursor,
} from "./history-filter.ts";
import {
  type MovementRow,
  type PlanMoveRow,
  viewPayouts,
  viewPlanMoves,
  viewReturns,
} from "./movements.view.ts";
import { type SaleRow, transactionsPart, viewTransactions } from "./sales.view.ts";

/** B §9: home shows them. */
const RECENT_COUNT = 4;
const PAGE = 30;

/** The last sales, for home (B §9). */
export const transactionsAtStart: SellerPart<TransactionOnWire[]> = (seller) =>
  mapPart(transactionsPart(RECENT_COUNT)(seller), (rows) => rows.map(saleOnWire));

type HistoryPage = {
  readonly filter: HistoryFilter;
  readonly position: HistoryPosition;
  readonly limit: number;
};

/** A row of the history, with what its place in it depends on. */
type Entry = {
  readonly type: HistoryType;
  readonly id: bigint;
  readonly at: Date;
  readonly item: HistoryItemOnWire;
};

/**
 * A page of what came in and went out, newest first. Each kind is read by its own ids, so a page
 * misses and repeats nothing whatever is written meanwhile, and costs the same after a million rows.
 * Sales alone unless payouts and returns are asked for.
 */
export async function transactionsOf(
  { db, clock, config }: App,
  sellerId: bigint,
  asked: { readonly query: TransactionsQuery; readonly position: HistoryPosition },
): Promise<Omit<TransactionsAnswer, "success">> {
  const { type: wanted = "income", q, periode, statut, limit = PAGE } = asked.query;
  const filter = {
    words: q ?? null,
    since: periode ? startOfPeriod(periode, clock.now(), config.timeZone) : null,
    status: statut ?? null,
  };
  const page = { filter, position: asked.position, limit };
  const types = wanted === "all" ? HISTORY_TYPES : [wanted];
  const streams = await Promise.all(types.map((type) => readKind(db, sellerId, { ...page, type })));
  const shown = merge(streams, limit);
  const more = streams.reduce((count, stream) => count + stream.length, 0) > shown.length;
  const position = { ...asked.position };
  for (const { type, id } of shown) position[type] = id;
  return {
    transactions: shown.map(({ item }) => item),
    next_cursor: more ? writeCursor(position) : null,
  };
}

/** The newest head of all streams, again and again: each stream keeps its own order. */
function merge(streams: readonly (readonly Entry[])[], limit: number): Entry[] {
  const shown: Entry[] = [];
  const taken = streams.map(() => 0);
  while (shown.length < limit) {
    let newest = -1;
    for (const [index, stream] of streams.entries()) {
      const head = stream[taken[index] ?? 0];
      const best = streams[newest]?.[taken[newest] ?? 0];
      if (head && (!best || head.at > best.at)) newest = index;
    }
    const entry = streams[newest]?.[taken[newest] ?? 0];
    if (!entry) break;
    taken[newest] = (taken[newest] ?? 0) + 1;
    shown.push(entry);
  }
  return shown;
}

async function readKind(
  db: Db,
  sellerId: bigint,
  { type, filter, position, limit }: HistoryPage & { readonly type: HistoryType },
): Promise<Entry[]> {
  const page = { before: position[type], limit, filter };
  if (type === "income") {
    const rows = await viewTransactions(db, sellerId, page);
    return rows.map((row) => ({ type, id: row.id, at: row.created_at, item: saleOnWire(row) }));
  }
  if (type === "transfer") {
    const rows = await viewPlanMoves(db, sellerId, page);
    return rows.map((row) => ({ type, id: row.id, at: row.at, item: planMoveOnWire(row) }));
  }
  const rows = await (type === "payout" ? viewPayouts : viewReturns)(db, sellerId, page);
  return rows.map((row) => ({ type, id: row.id, at: row.at, item: movementOnWire(type, row) }));
}

export function saleOnWire(row: SaleRow): TransactionOnWire {
  return {
    id: String(row.id),
    amount: fcfaToJson(row.price),
    net: fcfaToJson(fcfa(row.price - row.fee)),
    frais: fcfaToJson(row.fee),
    type: "income",
    date: (row.paid_at ?? row.created_at).toISOString(),
    status: statusOnWire(row),
    duration: row.duration_minutes,
    idProduit: String(row.product_id),
    produitNom: row.title,
    idClient: String(row.buyer_id),
    nomClient: row.buyer_name || NAMELESS_BUYER,
    renouvellement: row.is_renewal ? "Renouvellement" : "Nouveau",
    direct: row.direct,
  };
}

function statusOnWire({ status }: SaleRow): TransactionStatus {
  return status === "paid" ? "success" : status;
}

function movementOnWire(type: "payout" | "return", row: MovementRow): MovementOnWire {
  const amount = fcfaToJson(row.amount);
  return {
    id: `${type === "payout" ? "w" : "r"}${row.id}`,
    type,
    amount,
    net: amount,
    frais: 0,
    date: row.at.toISOString(),
    status: row.status,
    demande: String(row.id),
    reference_transaction: row.reference,
    methode_paiement: row.method,
    methode_nom: sayMethod(row.method),
    operateur: row.operator,
    numero_transfert: row.phone,
    motif: row.reject_reason,
  };
}

function planMoveOnWire(row: PlanMoveRow): MovementOnWire {
  const amount = fcfaToJson(row.amount);
  return {
    id: `t${row.id}`,
    type: "transfer",
    amount,
    net: amount,
    frais: 0,
    date: row.at.toISOString(),
    status: "success",
    demande: "",
    reference_transaction: row.reference,
    methode_paiement: "",
    methode_nom: PLAN_MOVE_WAYS[row.to_plan],
    operateur: "",
    numero_transfert: "",
    motif: null,
  };
}
