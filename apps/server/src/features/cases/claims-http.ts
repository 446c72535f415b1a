import * as contract from "@sesame/contract/cases";
import { assert } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { on, once } from "../../http/on.ts";
import type { Principal, HttpServer } from "../../http/server.ts";
import { type Db, many, nextCursor, one } from "../../postgres/database.ts";
import { mapPart, rowsPart, type SellerPart } from "../../postgres/parts.ts";
import {
  type ClaimAuthor,
  takeClaimStep,
  type GiveBack,
  decide,
  type LockedClaim,
  NOT_FOUND,
} from "./claims.ts";
import { claimKindsOf, findClaimable, openClaimIn } from "./open-claim.ts";

type Shown = z.output<typeof contract.claimOnWire>;
type EntryShown = Shown["entries"][number];
type ClaimRow = Omit<Shown, "kind_label" | "status" | "status_label" | "entries" | "may"> &
  Pick<LockedClaim, "status" | "buyer_id" | "seller_id" | "order_status"> & {
    readonly entries: readonly (Omit<EntryShown, "author" | "step_label"> & {
      readonly author: ClaimAuthor;
    })[];
  };

/** Entries oldest first. */
function select(db: Db, rest: RawBuilder<unknown>): Promise<ClaimRow[]> {
  return many<ClaimRow>(db)`
    SELECT c.id, c.order_id, o.title, o.price AS amount, o.status AS order_status, c.kind, c.status,
      c.opened_at, c.seller_due_at, c.closed_at, c.buyer_id, c.seller_id,
      json_build_object('nom', buyer.name) AS buyer,
      CASE WHEN c.seller_id IS NOT NULL
        THEN json_build_object('nom', seller_name(s, owner)) END AS seller,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('author', e.author, 'step', e.step,
          'words', e.words, 'at', e.at) ORDER BY e.id), '[]')
        FROM claim_entries e WHERE e.claim_id = c.id) AS entries
    FROM claims c
    JOIN orders o ON o.id = c.order_id
    JOIN people buyer ON buyer.id = c.buyer_id
    LEFT JOIN sellers s ON s.id = c.seller_id
    LEFT JOIN people owner ON owner.id = s.id
    ${rest}
  `;
}

const ofOrder = (db: Db, orderId: bigint) =>
  select(db, sql`WHERE c.order_id = ${orderId} ORDER BY c.id DESC`);

const AUTHORS: Readonly<Record<ClaimAuthor, EntryShown["author"]>> = {
  buyer: "acheteur",
  seller: "vendeur",
  operator: "operateur",
  system: "systeme",
};

type Reader = {
  readonly personId: bigint;
  /** At the desk: both sides' words, and the decision. */
  readonly desk?: { readonly isOperator: boolean };
};

const atDesk = ({ personId, isOperator }: Principal): Reader => ({
  personId,
  desk: { isOperator },
});

/** Null to whoever is no party to it, as when it does not exist. */
function shown(row: ClaimRow, { personId, desk }: Reader) {
  const isBuyer = row.buyer_id === personId;
  const isSeller = row.seller_id === personId;
  const isParty = isBuyer || isSeller;
  if (!desk && !isParty) return null;
  const isOpen = row.closed_at === null;
  const [status, status_label] = contract.CLAIM_STATUS_NAMES[row.status];
  return {
    ...row,
    kind_label: contract.CLAIM_KIND_NAMES[row.kind],
    status,
    status_label,
    entries: row.entries.map((entry) => {
      const author = AUTHORS[entry.author];
      return { ...entry, author, step_label: contract.CLAIM_STEP_NAMES[entry.step] };
    }),
    may: {
      answer: isOpen && isParty,
      contest: isSeller && row.status === "seller",
      refund: isSeller && isOpen && row.order_status === "paid",
      withdraw: isBuyer && isOpen,
      decide: desk?.isOperator === true && !isParty && row.status === "operator",
    },
  };
}

const all = (rows: readonly ClaimRow[], reader: Reader) =>
  rows.flatMap((row) => shown(row, reader) ?? []);

/** Of an order, newest first, as the desk sees them. */
export async function claimsOf({ db }: App, orderId: bigint, caller: Principal) {
  return all(await ofOrder(db, orderId), atDesk(caller));
}

/** What went wrong with an order, to its buyer or its seller; `mayClaim` is what its buyer may say. */
export async function claimCareOf({ db, clock }: App, orderId: bigint, readerId: bigint) {
  const [order, [newest]] = await Promise.all([findClaimable(db, orderId), ofOrder(db, orderId)]);
  const isBuyer = order?.buyerId === readerId && order.kind !== "trial";
  return {
    claim: newest ? shown(newest, { personId: readerId }) : null,
    mayClaim: order && isBuyer ? claimKindsOf(order, clock.now()) : [],
    paidTwice: order?.paidTwice ?? false,
  };
}

const waiting = (seller: RawBuilder<unknown>) => sql<{ count: number }>`
  SELECT count(*)::int AS count FROM claims WHERE seller_id = ${seller} AND status = 'seller'
`;

/** How many claims the seller must answer, among the rows of his start. */
export const claimsWaitingPart: SellerPart<number> = (seller) =>
  mapPart(rowsPart(waiting(seller), {}), ([row]) => row?.count ?? 0);

/** What buyers, sellers and the back office do about a claim. */
export function registerClaimsHttp(app: App, http: HttpServer, lookAt: GiveBack): void {
  const { db, clock } = app;
  const find = async (id: bigint, reader: Reader) => {
    const [row] = await select(db, sql`WHERE c.id = ${id}`);
    return row ? shown(row, reader) : null;
  };
  const mine = async ({ personId }: Principal, id: bigint) => {
    const claim = await find(id, { personId });
    assert(claim, "a party sees the claim he acted upon");
    return claim;
  };
  on(http, contract.openClaim, async ({ params, body, caller, call }) => {
    const { motif: kind, message: words } = body ?? {};
    const asked = { orderId: params.id, buyerId: caller.personId, kind, words };
    const opened = await once(app, call, (tx) => openClaimIn(app, tx, asked));
    if (!opened.ok) return opened;
    return {
      message: contract.CLAIM_ANSWERS.opened,
      claim: await mine(caller, BigInt(opened.value)),
    };
  });
  const steps = [
    [contract.answerClaim, "said"],
    [contract.contestClaim, "contested"],
    [contract.withdrawClaim, "withdrawn"],
  ] as const;
  for (const [route, step] of steps) {
    on(http, route, async ({ params: { id }, body, caller, call }) => {
      const asked = { step, id, caller, words: body?.message };
      const taken = await once(app, call, (tx) => takeClaimStep(app, tx, asked));
      return taken.ok
        ? { message: contract.CLAIM_ANSWERS[step], claim: await mine(caller, id) }
        : taken;
    });
  }
  on(http, contract.listClaims, async ({ query: { cursor, limit }, caller: { personId } }) => {
    const seen = sql`(SELECT last.status = 'seller' FROM claims last WHERE last.id = ${cursor})`;
    const rows = await select(
      db,
      sql`WHERE c.seller_id = ${personId} AND (${cursor}::bigint IS NULL
          OR ((c.status = 'seller'), c.id) < (coalesce(${seen}, false), ${cursor}))
        ORDER BY c.status = 'seller' DESC, c.id DESC LIMIT ${limit}`,
    );
    return {
      claims: all(rows, { personId }),
      waiting: (await waiting(sql`${personId}`).execute(db)).rows[0]?.count ?? 0,
      next_cursor: nextCursor(rows, limit),
    };
  });
  on(http, contract.readClaim, async ({ params, caller: { personId } }) => {
    const claim = await find(params.id, { personId });
    return claim ? { message: claim.status_label, claim } : NOT_FOUND;
  });
  on(http, contract.listDeskClaims, async ({ query: { view, cursor, limit }, caller }) => {
    const seen = sql`(SELECT last.status <> 'operator' FROM claims last WHERE last.id = ${cursor})`;
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
      FROM claims WHERE closed_at IS NULL
    `;
    const claims = all(rows, atDesk(caller));
    return { now: clock.now(), claims, counts, next_cursor: nextCursor(rows, limit) };
  });
  on(http, contract.readDeskClaim, async ({ params, caller }) => {
    const claim = await find(params.id, atDesk(caller));
    return claim ? { now: clock.now(), message: claim.status_label, claim } : NOT_FOUND;
  });
  on(http, contract.decideClaim, async ({ params: { id }, body, caller, call }) => {
    const asked = { id, caller, decision: body?.decision, reason: body?.reason, call };
    const decided = await decide(app, asked, lookAt);
    if (!decided.ok) return decided;
    const claim = await find(id, atDesk(caller));
    if (!claim) return NOT_FOUND;
    return { now: clock.now(), message: contract.CLAIM_ANSWERS[decided.value], claim };
  });
}
