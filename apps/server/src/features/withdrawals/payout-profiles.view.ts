import type { PayoutMethodId } from "@sesame/contract/withdrawals";
import type { Fcfa } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
import { rowsPart, type SellerPart } from "../../postgres/parts.ts";
import type { LastOutcome } from "./automatic.store.ts";
import type { Frequency } from "./schedule.ts";

/** The saved configuration; of a seller who saved none, its beginning. */
export type ProfileRow = {
  readonly method: PayoutMethodId | null;
  readonly phone: string | null;
  readonly number_changed_at: Date | null;
  readonly automatic: boolean;
  readonly frequency: Frequency;
  readonly threshold: Fcfa | null;
  readonly next_run_at: Date | null;
  readonly last_run_at: Date | null;
  readonly last_outcome: LastOutcome | null;
  readonly failures_in_row: number;
  /** Of the newest request: offered where nothing was saved. */
  readonly last_method: PayoutMethodId | null;
  readonly last_phone: string | null;
};

export async function viewProfile(db: Db, sellerId: bigint): Promise<ProfileRow | null> {
  return (await profileSelect(sql`${sellerId}`).execute(db)).rows[0] ?? null;
}

/** As `viewProfile`, among the rows of the seller's start. */
export const profilePart: SellerPart<ProfileRow[]> = (seller) =>
  rowsPart<ProfileRow>(profileSelect(seller), {
    number_changed_at: "instant",
    threshold: "bigint",
    next_run_at: "instant",
    last_run_at: "instant",
  });

function profileSelect(seller: RawBuilder<unknown>) {
  return sql<ProfileRow>`
    SELECT p.method, p.phone, p.number_changed_at, coalesce(p.automatic, false) AS automatic,
      coalesce(p.frequency, 'weekly') AS frequency, p.threshold, p.next_run_at, p.last_run_at,
      p.last_outcome, coalesce(p.failures_in_row, 0) AS failures_in_row,
      last.method AS last_method, last.phone AS last_phone
    FROM sellers s
    LEFT JOIN payout_profiles p ON p.seller_id = s.id
    LEFT JOIN LATERAL (
      SELECT w.method, w.phone FROM withdrawals w
      WHERE w.seller_id = s.id ORDER BY w.id DESC LIMIT 1
    ) AS last ON p.method IS NULL
    WHERE s.id = ${seller}
  `;
}
