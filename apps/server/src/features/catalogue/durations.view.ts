import type { DurationOnWire } from "@sesame/contract/catalogue";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

type DurationRow = {
  readonly id: bigint;
  readonly minutes: number;
  readonly display_name: string;
  readonly description: string;
  readonly discount_percent: number;
  readonly price_tier: DurationOnWire["price_tier"];
  readonly active: boolean;
};

/** The options on offer, shortest first; the `test` tier is for the demo only (decision 37). */
export async function findDurations(db: Db, withTests: boolean): Promise<DurationOnWire[]> {
  const { rows } = await sql<DurationRow>`
    SELECT id, minutes, display_name, description, discount_percent, price_tier, active
    FROM subscription_durations
    WHERE active AND (${withTests} OR price_tier <> 'test')
    ORDER BY minutes, id
  `.execute(db);
  return rows.map((row) => ({
    id: String(row.id),
    value: row.minutes,
    minutes: row.minutes,
    label: row.display_name,
    display_name: row.display_name,
    description: row.description,
    discount: row.discount_percent,
    price_tier: row.price_tier,
    active: row.active,
  }));
}
