import { mayOf } from "@sesame/contract";
import { nameProvider } from "@sesame/contract/checkout";
import {
  type deskRefundOnWire,
  REFUND_STATUS_WORDS,
  refundsRefusals,
} from "@sesame/contract/refunds";
import { groupPhone, isPayoutMethod, maskPhone, sayMethod } from "@sesame/contract/withdrawals";
import { assert, type Fcfa } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../app.ts";
import type { Principal } from "../../http/server.ts";
import { type Db, many } from "../../postgres/database.ts";
import { IS_GIVEN_BACK } from "../checkout/index.ts";
import { claimCareOf } from "../cases/index.ts";
import { forbidFee, forbidHand, forbidReturned, type HandFacts } from "./by-hand.ts";
import { ASKED_BY_NAMES, REFUND_STATUS_NAMES } from "./messages.fr.ts";

/** Added where the row is shown. */
type Added =
  | "status_label"
  | "methode_nom"
  | "provider_name"
  | "asked_by"
  | "numero_label"
  | "taken"
  | "may";

/** A refund with all that any reader may be shown of it. */
type RefundRow = HandFacts &
  Omit<z.output<typeof deskRefundOnWire>, Added | "status" | "methode" | "provider_fee"> & {
    readonly methode: string | null;
    readonly asked_as: keyof typeof ASKED_BY_NAMES;
    readonly provider_fee: Fcfa;
  };

export function selectRefunds(db: Db, rest: RawBuilder<unknown>): Promise<RefundRow[]> {
  return many<RefundRow>(db)`
    SELECT r.id, r.kind, r.kind = 'surplus' AND NOT ${IS_GIVEN_BACK} AS surplus, r.order_id, o.title,
      r.amount, r.direct, r.advanced, r.asked_as, r.reason AS motif, r.lane, r.status,
      r.method AS methode, r.phone AS numero, r.operator_reference AS reference_operateur,
      nullif(person_name(payer.first_name, payer.last_name), '') AS paid_by,
      r.created_at AS date_creation, r.done_at AS date_remboursement, r.check_at, r.checks,
      p.provider, p.provider_payment_id, r.provider_fee, r.buyer_id, r.seller_id,
      json_build_object('id', r.buyer_id,
        'name', person_name(buyer.first_name, buyer.last_name),
        'username', buyer.username, 'telegram_id', buyer.telegram_id) AS buyer,
      CASE WHEN r.seller_id IS NOT NULL THEN json_build_object('id', r.seller_id, 'name',
        seller_name(s, owner)) END AS seller,
      r.taken_by, r.taken_until, person_name(taker.first_name, taker.last_name) AS taker_name
    FROM refunds r
    JOIN orders o ON o.id = r.order_id
    JOIN payments p ON p.id = r.payment_id
    JOIN people buyer ON buyer.id = r.buyer_id
    LEFT JOIN sellers s ON s.id = r.seller_id
    LEFT JOIN people owner ON owner.id = s.id
    LEFT JOIN people payer ON payer.id = r.paid_by
    LEFT JOIN people taker ON taker.id = r.taken_by
    ${rest}
  `;
}

/** Of an order: what its buyer must act on first, then what is under way, then the newest. */
export function findRefundsOf(db: Db, orderId: bigint): Promise<RefundRow[]> {
  return selectRefunds(
    db,
    sql`WHERE r.order_id = ${orderId}
      ORDER BY r.status = 'needs-number' DESC, r.status <> 'done' DESC, r.kind, r.id DESC`,
  );
}

/** One that was written, or acted upon. */
export async function getRefund(db: Db, id: bigint): Promise<RefundRow> {
  const [row] = await selectRefunds(db, sql`WHERE r.id = ${id}`);
  assert(row, "a refund that was acted upon is there");
  return row;
}

export function shown(row: RefundRow, reader: "buyer" | "seller" | "desk") {
  const { lane, numero } = row;
  const status = REFUND_STATUS_WORDS[row.status];
  const methode = row.methode !== null && isPayoutMethod(row.methode) ? row.methode : null;
  // The seller needs it whole only where it is he who sends the money.
  const isWhole = reader !== "seller" || lane === "seller";
  return {
    ...row,
    status,
    status_label: REFUND_STATUS_NAMES[status],
    methode,
    methode_nom: methode && sayMethod(methode),
    numero: isWhole ? numero : numero && maskPhone(numero),
  };
}

/** To the desk; `may`: what the caller may do with it now. */
export function shownAtDesk(row: RefundRow, caller: Principal, now: Date) {
  const { taken_by: takenBy, taken_until: until } = row;
  const hand = mayOf(forbidHand(row, caller.personId, now), refundsRefusals);
  const isHis = takenBy === caller.personId;
  return {
    ...shown(row, "desk"),
    provider_name: nameProvider(row.provider),
    asked_by: ASKED_BY_NAMES[row.asked_as],
    numero_label: row.numero && groupPhone(row.numero),
    taken:
      takenBy !== null && until !== null && until > now
        ? { by: { id: takenBy, name: row.taker_name }, mine: isHis, until }
        : null,
    may: {
      take: hand,
      // Of who took it, however long ago: the money may have left his phone already.
      paid: isHis ? hand : { allowed: false, reason: null },
      number: hand,
      returned: mayOf(forbidReturned(row, caller, now), refundsRefusals),
      fee: mayOf(forbidFee(row, caller), refundsRefusals),
    },
  };
}

/**
 * What went wrong with an order, and what is done about it, to its buyer or its seller; the refund
 * that needs its reader most.
 */
export async function careOf(app: App, orderId: bigint, readerId: bigint) {
  const [[row], care] = await Promise.all([
    findRefundsOf(app.db, orderId),
    claimCareOf(app, orderId, readerId),
  ]);
  const reader = row?.buyer_id === readerId ? "buyer" : "seller";
  const isHis = row && (reader === "buyer" || row.seller_id === readerId);
  return { refund: isHis ? shown(row, reader) : null, ...care };
}
