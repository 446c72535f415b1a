import { type RawBuilder, sql } from "kysely";
import type { Plan } from "@sesame/contract/plans";
import type { Fcfa } from "@sesame/kernel";
import { type Db, maybe } from "../../postgres/database.ts";
import { type Part, rowsPart } from "../../postgres/parts.ts";

const WEEK = 7;

export type SellerRow = {
  readonly id: bigint;
  readonly telegram_id: bigint;
  readonly first_name: string;
  readonly last_name: string | null;
  readonly username: string | null;
  readonly photo_url: string | null;
  readonly plan: Plan | null;
  readonly premium_until: Date | null;
  readonly onboarded: boolean;
  readonly display_name: string | null;
  readonly country: string | null;
  readonly whatsapp_number: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly free_posted: Fcfa;
  readonly free_held: Fcfa;
  readonly premium_posted: Fcfa;
  readonly premium_held: Fcfa;
  /** Advanced for his refunds, and taken back from his next sales. */
  readonly owed: Fcfa;
  /** Net francs of the last seven days, oldest first. */
  readonly week: readonly number[];
};

/** The seller with the balances of his two accounts, which keep them in their rows. */
export async function findSeller(
  db: Db,
  sellerId: bigint,
  at: LocalTime,
): Promise<SellerRow | null> {
  return (await sellerSelect(sql`${sellerId}`, at).execute(db)).rows[0] ?? null;
}

export type LocalTime = { readonly zone: string; readonly now: Date };

/** As `findSeller`, among the rows of his start. */
export const sellerPart = (seller: RawBuilder<unknown>, at: LocalTime): Part<SellerRow[]> =>
  rowsPart<SellerRow>(sellerSelect(seller, at), {
    id: "bigint",
    telegram_id: "bigint",
    premium_until: "instant",
    created_at: "instant",
    updated_at: "instant",
    free_posted: "bigint",
    free_held: "bigint",
    premium_posted: "bigint",
    premium_held: "bigint",
    owed: "bigint",
  });

function sellerSelect(seller: RawBuilder<unknown>, { zone, now }: LocalTime) {
  return sql<SellerRow>`
    SELECT s.id, p.telegram_id, p.first_name, p.last_name, p.username, p.photo_url,
      s.plan, s.premium_until, s.onboarded, s.display_name, s.country, s.whatsapp_number,
      s.created_at, s.updated_at,
      free.posted AS free_posted, free.held AS free_held,
      premium.posted AS premium_posted, premium.held AS premium_held,
      coalesce(advance.owed, 0)::bigint AS owed,
      array_to_json(seller_sparkline(s.id, ${zone}, ${now}::timestamptz, ${WEEK})) AS week
    FROM sellers s
    JOIN people p ON p.id = s.id
    JOIN ledger_accounts free ON free.id = s.free_account_id
    JOIN ledger_accounts premium ON premium.id = s.premium_account_id
    LEFT JOIN seller_advances advance ON advance.seller_id = s.id
    WHERE s.id = ${seller}
  `;
}

export type BuyerRow = {
  readonly id: bigint;
  readonly telegram_id: bigint;
  readonly first_name: string;
  readonly last_name: string | null;
  readonly username: string | null;
  readonly photo_url: string | null;
  readonly reachable: boolean;
};

export async function findBuyer(db: Db, personId: bigint): Promise<BuyerRow | null> {
  return maybe<BuyerRow>(db)`
    SELECT p.id, p.telegram_id, p.first_name, p.last_name, p.username, p.photo_url,
      coalesce(b.reachable, false) AS reachable
    FROM people p LEFT JOIN bot_chats b ON b.person_id = p.id AND b.bot = 'buyer'
    WHERE p.id = ${personId}
  `;
}
