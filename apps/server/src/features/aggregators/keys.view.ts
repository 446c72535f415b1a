import type { AggregatorKey, KeyName, MethodKey } from "@sesame/contract/aggregators";
import type { Plan } from "@sesame/contract/plans";
import { type RawBuilder, sql } from "kysely";
import { type Db, maybe } from "../../postgres/database.ts";
import { mapPart, rowsPart, type SellerPart, sideBySide } from "../../postgres/parts.ts";

export type KeysRow = {
  readonly id: bigint;
  readonly seller_id: bigint;
  readonly provider: AggregatorKey;
  readonly secrets: Uint8Array;
  readonly secrets_key_id: string;
  readonly masked: Readonly<Partial<Record<KeyName, string>>>;
  readonly version: number;
  readonly changed_at: Date;
  readonly verified_at: Date;
  readonly refused_at: Date | null;
  readonly ended_at: Date | null;
};

const COLUMNS = sql`
  k.id, k.seller_id, k.provider, k.secrets, k.secrets_key_id, k.masked, k.version, k.changed_at,
  k.verified_at, k.refused_at, k.ended_at
`;

export async function viewKeys(db: Db, id: bigint): Promise<KeysRow | null> {
  return maybe<KeysRow>(db)`
    SELECT ${COLUMNS} FROM seller_keys k WHERE k.id = ${id}
  `;
}

/** Those a seller uses at a provider, or would on premium. */
export async function viewKeysInUse(
  db: Db,
  of: { sellerId: bigint; provider: AggregatorKey },
): Promise<KeysRow | null> {
  return maybe<KeysRow>(db)`
    SELECT ${COLUMNS} FROM seller_keys k
    WHERE k.seller_id = ${of.sellerId} AND k.provider = ${of.provider} AND k.ended_at IS NULL
  `;
}

export type SwitchRow = {
  readonly provider: MethodKey;
  readonly active: boolean;
  readonly changed_at: Date;
};

export type SellerMethods = {
  readonly plan: Plan | null;
  readonly keys: readonly KeysRow[];
  readonly switches: readonly SwitchRow[];
};

/** All that decides what a seller is paid by. An unknown seller has the instance's methods. */
export async function viewMethods(db: Db, sellerId: bigint): Promise<SellerMethods> {
  const id = sql`${sellerId}`;
  const [seller, keys, switches] = await Promise.all([
    planSelect(id).execute(db),
    keysSelect(id).execute(db),
    switchesSelect(id).execute(db),
  ]);
  return { plan: seller.rows[0]?.plan ?? null, keys: keys.rows, switches: switches.rows };
}

/** As `viewMethods`, among the rows of the seller's start. */
export const methodsPart: SellerPart<SellerMethods> = (seller) =>
  mapPart(
    sideBySide({
      sellers: rowsPart(planSelect(seller), {}),
      keys: rowsPart<KeysRow>(keysSelect(seller), {
        id: "bigint",
        seller_id: "bigint",
        secrets: "bytes",
        changed_at: "instant",
        verified_at: "instant",
        refused_at: "instant",
        ended_at: "instant",
      }),
      switches: rowsPart<SwitchRow>(switchesSelect(seller), { changed_at: "instant" }),
    }),
    ({ sellers, keys, switches }) => ({ plan: sellers[0]?.plan ?? null, keys, switches }),
  );

function planSelect(seller: RawBuilder<unknown>) {
  return sql<{ plan: Plan | null }>`SELECT plan FROM sellers WHERE id = ${seller}`;
}

function keysSelect(seller: RawBuilder<unknown>) {
  return sql<KeysRow>`
    SELECT ${COLUMNS} FROM seller_keys k WHERE k.seller_id = ${seller} AND k.ended_at IS NULL
  `;
}

function switchesSelect(seller: RawBuilder<unknown>) {
  return sql<SwitchRow>`
    SELECT m.provider, m.active, m.changed_at FROM seller_methods m WHERE m.seller_id = ${seller}
  `;
}
