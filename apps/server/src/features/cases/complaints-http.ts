import * as contract from "@sesame/contract/cases";
import { assert } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { on, once } from "../../http/on.ts";
import type { Principal, HttpServer } from "../../http/server.ts";
import { type Db, many, nextCursor, one } from "../../postgres/database.ts";
import { mapPart, rowsPart, type SellerPart } from "../../postgres/parts.ts";
import * as cases from "./complaints.ts";
import { complaintKindsOf, findOrderFacts, openComplaintIn } from "./open-complaint.ts";

type Shown = z.output<typeof contract.complaintOnWire>;
type EntryShown = Shown["entries"][number];
type ComplaintRow = Omit<Shown, "kind_label" | "status" | "status_label" | "entries" | "may"> &
  Pick<cases.LockedComplaint, "status" | "buyer_id" | "seller_id" | "order_status"> & {
    readonly entries: readonly (Omit<EntryShown, "author" | "step_label"> & {
      readonly author: cases.ComplaintAuthor;
    })[];
  };

/** Entries oldest first. */
function select(db: Db, rest: RawBuilder<unknown>): Promise<ComplaintRow[]> {
  return many<ComplaintRow>(db)`
    SELECT c.id, c.order_id, o.title, o.price AS amount, o.status AS order_status, c.kind, c.status,
      c.opened_at, c.seller_due_at, c.closed_at, c.buyer_id, c.seller_id,
      json_build_object('nom', buyer.name) AS buyer,
      CASE WHEN c.seller_id IS NOT NULL
        THEN json_build_object('nom', seller_name(s, owner)) END AS seller,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('author', e.author, 'step', e.step,
          'words', e.words, 'at', e.at) ORDER BY e.id), '[]')
        FROM complaint_entries e WHERE e.complaint_id = c.id) AS entries
    FROM complaints c
    JOIN orders o ON o.id = c.order_id
    JOIN people buyer ON buyer.id = c.buyer_id
    LEFT JOIN sellers s ON s.id = c.seller_id
    LEFT JOIN people owner ON owner.id = s.id
    ${rest}
  `;
}

const ofOrder = (db: Db, orderId: bigint) =>
  select(db, sql`WHERE c.order_id = ${orderId} ORDER BY c.id DESC`);

const AUTHORS: Readonly<Record<cases.ComplaintAuthor, EntryShown["author"]>> = {
  buyer: "acheteur",
  seller: "vendeur",
  operator: "operateur",
  system: "systeme",
};

type Reader = {
  readonly personId: bigint;
  /** Staff read both parties' texts, and an operator decides. */
  readonly staff?: { readonly isOperator: boolean };
};

const forStaff = ({ personId, isOperator }: Principal): Reader => ({
  personId,
  staff: { isOperator },
});

/** Null for a person who is no party, as if it did not exist. */
function shown(row: ComplaintRow, { personId, staff }: Reader) {
  const isBuyer = row.buyer_id === personId;
  const isSeller = row.seller_id === personId;
  const isParty = isBuyer || isSeller;
  if (!staff && !isParty) return null;
  const isOpen = row.closed_at === null;
  const [status, status_label] = contract.COMPLAINT_STATUS_NAMES[row.status];
  return {
    ...row,
    kind_label: contract.COMPLAINT_KIND_NAMES[row.kind],
    status,
    status_label,
    entries: row.entries.map((entry) => {
      const author = AUTHORS[entry.author];
      return { ...entry, author, step_label: contract.COMPLAINT_STEP_NAMES[entry.step] };
    }),
    may: {
      answer: isOpen && isParty,
      contest: isSeller && row.status === "seller",
      refund: isSeller && isOpen && row.order_status === "paid",
      withdraw: isBuyer && isOpen,
      decide: staff?.isOperator === true && !isParty && row.status === "operator",
    },
  };
}

const all = (rows: readonly ComplaintRow[], reader: Reader) =>
  rows.flatMap((row) => shown(row, reader) ?? []);

/** The complaints of an order, newest first, as staff see them. */
export async function complaintsOf({ db }: App, orderId: bigint, caller: Principal) {
  return all(await ofOrder(db, orderId), forStaff(caller));
}

/** The complaint of an order, for its buyer or its seller; `mayComplain`: the kinds its buyer may open. */
export async function complaintCareOf({ db, clock }: App, orderId: bigint, readerId: bigint) {
  const [order, [newest]] = await Promise.all([findOrderFacts(db, orderId), ofOrder(db, orderId)]);
  const isBuyer = order?.buyerId === readerId && order.kind !== "trial";
  return {
    complaint: newest ? shown(newest, { personId: readerId }) : null,
    mayComplain: order && isBuyer ? complaintKindsOf(order, clock.now()) : [],
    paidTwice: order?.paidTwice ?? false,
  };
}

const waiting = (seller: RawBuilder<unknown>) => sql<{ count: number }>`
  SELECT count(*)::int AS count FROM complaints WHERE seller_id = ${seller} AND status = 'seller'
`;

/** The number of complaints the seller must answer, for the seller's start. */
export const complaintsWaitingPart: SellerPart<number> = (seller) =>
  mapPart(rowsPart(waiting(seller), {}), ([row]) => row?.count ?? 0);

/** Routes of complaints, for buyers, sellers and the back office. */
export function registerComplaintsHttp(app: App, http: HttpServer, lookAt: cases.GiveBack): void {
  const { db, clock } = app;
  const find = async (id: bigint, reader: Reader) => {
    const [row] = await select(db, sql`WHERE c.id = ${id}`);
    return row ? shown(row, reader) : null;
  };
  const mine = async ({ personId }: Principal, id: bigint) => {
    const complaint = await find(id, { personId });
    assert(complaint, "a party sees the complaint he acted upon");
    return complaint;
  };
  on(http, contract.openComplaint, async (asked) => {
    const opened = await once(app, asked.call, (tx) => openComplaintIn(app, tx, asked));
    if (!opened.ok) return opened;
    return {
      message: contract.COMPLAINT_ANSWERS.opened,
      complaint: await mine(asked.caller, BigInt(opened.value)),
    };
  });
  const steps = [
    [contract.answerComplaint, "said"],
    [contract.contestComplaint, "contested"],
    [contract.withdrawComplaint, "withdrawn"],
  ] as const;
  for (const [route, step] of steps) {
    on(http, route, async ({ params: { id }, body, caller, call }) => {
      const asked = { step, id, caller, words: body?.message };
      const taken = await once(app, call, (tx) => cases.takeComplaintStep(app, tx, asked));
      return taken.ok
        ? { message: contract.COMPLAINT_ANSWERS[step], complaint: await mine(caller, id) }
        : taken;
    });
  }
  on(http, contract.listComplaints, async ({ query: { cursor, limit }, caller: { personId } }) => {
    const seen = sql`(SELECT last.status = 'seller' FROM complaints last WHERE last.id = ${cursor})`;
    const rows = await select(
      db,
      sql`WHERE c.seller_id = ${personId} AND (${cursor}::bigint IS NULL
          OR ((c.status = 'seller'), c.id) < (coalesce(${seen}, false), ${cursor}))
        ORDER BY c.status = 'seller' DESC, c.id DESC LIMIT ${limit}`,
    );
    return {
      complaints: all(rows, { personId }),
      waiting: (await waiting(sql`${personId}`).execute(db)).rows[0]?.count ?? 0,
      next_cursor: nextCursor(rows, limit),
    };
  });
  const reads = [
    [contract.readComplaint, ({ personId }: Principal): Reader => ({ personId })],
    [contract.readStaffComplaint, forStaff],
  ] as const;
  for (const [route, readerOf] of reads) {
    on(http, route, async ({ params, caller }) => {
      const complaint = await find(params.id, readerOf(caller));
      if (!complaint) return cases.NOT_FOUND;
      return { now: clock.now(), message: complaint.status_label, complaint };
    });
  }
  on(http, contract.listStaffComplaints, async ({ query: { view, cursor, limit }, caller }) => {
    const seen = sql`(SELECT last.status <> 'operator' FROM complaints last WHERE last.id = ${cursor})`;
    const rows = await select(
      db,
      view === "done"
        ? sql`WHERE c.closed_at IS NOT NULL AND (${cursor}::bigint IS NULL OR c.id < ${cursor})
            ORDER BY c.id DESC LIMIT ${limit}`
        : sql`WHERE c.closed_at IS NULL AND (${cursor}::bigint IS NULL
              OR ((c.status <> 'operator'), c.id) > (coalesce(${seen}, true), ${cursor}))
            ORDER BY c.status <> 'operator', c.id LIMIT ${limit}`,
    );
    const counts = await one<{ operator: number; open: number }>(db)`
      SELECT count(*) FILTER (WHERE status = 'operator')::int AS operator, count(*)::int AS open
      FROM complaints WHERE closed_at IS NULL
    `;
    const complaints = all(rows, forStaff(caller));
    return { now: clock.now(), complaints, counts, next_cursor: nextCursor(rows, limit) };
  });
  on(http, contract.decideComplaint, async (asked) => {
    const decided = await cases.decide(app, asked, lookAt);
    if (!decided.ok) return decided;
    const complaint = await find(asked.params.id, forStaff(asked.caller));
    if (!complaint) return cases.NOT_FOUND;
    return { now: clock.now(), message: contract.COMPLAINT_ANSWERS[decided.value], complaint };
  });
}
