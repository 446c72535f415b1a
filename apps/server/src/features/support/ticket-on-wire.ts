import {
  type DeskTicketLineOnWire,
  type DeskTicketOnWire,
  TICKET_KIND_NAMES,
  TICKET_STATUS_NAMES,
  TICKET_STATUS_WORDS,
  type TicketLineOnWire,
  type TicketMessageOnWire,
  type TicketOnWire,
} from "@sesame/contract/support";
import { fcfaToJson } from "@sesame/kernel";
import type { MessageRow, TicketRow } from "./ticket.view.ts";

const AUTHORS = { seller: "vendeur", desk: "assistance" } as const;

/** As its seller sees it. */
export function lineToWire(row: TicketRow): TicketLineOnWire {
  const status = TICKET_STATUS_WORDS[row.status];
  return {
    id: String(row.id),
    kind: row.kind,
    kind_label: TICKET_KIND_NAMES[row.kind],
    status,
    status_label: TICKET_STATUS_NAMES[status],
    opened_at: row.opened_at.toISOString(),
    changed_at: row.changed_at.toISOString(),
    closed_at: row.closed_at?.toISOString() ?? null,
    ...subjectOf(row),
    preview: row.preview,
    last_author: AUTHORS[row.last_author],
    unread: row.unseen,
    priority: row.priority,
  };
}

function subjectOf(row: TicketRow): Pick<TicketLineOnWire, "order" | "withdrawal"> {
  const { order_id: order, order_price: price } = row;
  const { withdrawal_id: withdrawal, withdrawal_amount: amount } = row;
  return {
    order:
      order === null || price === null
        ? null
        : { id: String(order), title: row.order_title ?? "", amount: fcfaToJson(price) },
    withdrawal:
      withdrawal === null || amount === null
        ? null
        : {
            id: String(withdrawal),
            reference: row.withdrawal_reference ?? "",
            amount: fcfaToJson(amount),
          },
  };
}

function messageToWire({ id, author, words, at }: MessageRow): TicketMessageOnWire {
  return { id: String(id), author: AUTHORS[author], words, at: at.toISOString() };
}

export function ticketToWire(row: TicketRow, messages: readonly MessageRow[]): TicketOnWire {
  return {
    ...lineToWire(row),
    messages: messages.map(messageToWire),
    may: { write: true, close: row.status !== "closed" },
  };
}

/** At the desk what nobody there has answered is unread. */
function atDesk(row: TicketRow) {
  return {
    seller: { id: String(row.seller_id), nom: row.seller_name, username: row.username },
    waiting_since: row.waiting_since?.toISOString() ?? null,
    unread: row.status === "open" ? 1 : 0,
  };
}

export function deskLineToWire(row: TicketRow): DeskTicketLineOnWire {
  return { ...lineToWire(row), ...atDesk(row) };
}

export function deskTicketToWire(
  row: TicketRow,
  messages: readonly MessageRow[],
  readerId: bigint,
): DeskTicketOnWire {
  const own = row.seller_id === readerId;
  const may = { write: !own, close: !own && row.status !== "closed" };
  return { ...ticketToWire(row, messages), ...atDesk(row), may };
}
