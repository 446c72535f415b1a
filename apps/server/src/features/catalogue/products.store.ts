import type {
  OfferAnswers,
  OfferAnswersBody,
  ProductCategory,
  ProductKind,
} from "@sesame/contract/catalogue";
import type { Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

export type NewProduct = {
  readonly kind: ProductKind;
  readonly sellerId: bigint;
  /** Null for a donation. */
  readonly groupId: bigint | null;
  readonly reference: string;
  readonly title: string;
  /** Of a donation, its minimum. */
  readonly price: Fcfa;
  readonly suggestions: readonly Fcfa[];
  readonly description: string;
  /** 0 for a donation. */
  readonly durationMinutes: number;
  readonly category: ProductCategory;
  readonly stock: number | null;
  readonly switchedOn: boolean;
  readonly imageId: string | null;
  readonly now: Date;
};

/** The product's id; null when the reference is taken. */
export async function insertProduct(tx: Db, product: NewProduct): Promise<bigint | null> {
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO products (kind, seller_id, group_id, reference, title, price, suggestions,
      description, duration_minutes, category, stock, switched_on, image_id, created_at, updated_at)
    VALUES (${product.kind}, ${product.sellerId}, ${product.groupId}, ${product.reference},
      ${product.title}, ${product.price}, ${[...product.suggestions]}::bigint[],
      ${product.description}, ${product.durationMinutes}, ${product.category},
      ${product.stock}, ${product.switchedOn}, ${product.imageId}, ${product.now}, ${product.now})
    ON CONFLICT (reference) DO NOTHING
    RETURNING id
  `.execute(tx);
  return rows[0]?.id ?? null;
}

/** Undefined: unchanged. */
export type ProductChange = {
  readonly title?: string;
  readonly price?: Fcfa;
  readonly description?: string;
  readonly suggestions?: readonly Fcfa[];
  readonly durationMinutes?: number;
  readonly category?: ProductCategory;
  /** Null: without limit. */
  readonly stock?: number | null;
  readonly switchedOn?: boolean;
  readonly groupId?: bigint;
  readonly imageId?: string;
};

/** False when the seller has no such product, or it is archived. */
export async function updateProduct(
  tx: Db,
  product: { sellerId: bigint; productId: bigint; now: Date },
  change: ProductChange,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE products SET
      title = coalesce(${change.title ?? null}, title),
      price = coalesce(${change.price ?? null}, price),
      description = coalesce(${change.description ?? null}, description),
      suggestions = coalesce(${change.suggestions ? [...change.suggestions] : null}::bigint[],
        suggestions),
      duration_minutes = coalesce(${change.durationMinutes ?? null}, duration_minutes),
      category = coalesce(${change.category ?? null}, category),
      stock = CASE WHEN ${change.stock !== undefined} THEN ${change.stock ?? null} ELSE stock END,
      switched_on = coalesce(${change.switchedOn ?? null}, switched_on),
      group_id = coalesce(${change.groupId ?? null}, group_id),
      image_id = coalesce(${change.imageId ?? null}, image_id),
      updated_at = ${product.now}
    WHERE id = ${product.productId} AND seller_id = ${product.sellerId} AND archived_at IS NULL
  `.execute(tx);
  return numAffectedRows === 1n;
}

/** Repeating it changes nothing: the first instant stays. */
export async function archiveProduct(
  tx: Db,
  product: { sellerId: bigint; productId: bigint; now: Date },
): Promise<void> {
  await sql`
    UPDATE products SET archived_at = ${product.now}, updated_at = ${product.now}
    WHERE id = ${product.productId} AND seller_id = ${product.sellerId} AND archived_at IS NULL
  `.execute(tx);
}

/** One view per buyer per day; the seller's own look is none (decision 39). */
export async function countView(
  db: Db,
  view: { productId: bigint; personId: bigint; day: string },
): Promise<void> {
  await sql`
    WITH seen AS (
      INSERT INTO product_views (product_id, person_id, day)
      SELECT p.id, ${view.personId}, ${view.day}::date FROM products p
      WHERE p.id = ${view.productId} AND p.seller_id <> ${view.personId}
      ON CONFLICT DO NOTHING
      RETURNING product_id
    )
    UPDATE products SET views = views + 1 WHERE id IN (SELECT product_id FROM seen)
  `.execute(db);
}

const NOTHING_TOLD: OfferAnswers = { name: null, goal: null, motivation: null };

/** What a seller told the assistant; nothing before he told anything. */
export async function readOfferAnswers(db: Db, sellerId: bigint): Promise<OfferAnswers> {
  const { rows } = await sql<OfferAnswers>`
    SELECT name, goal, motivation FROM offer_answers WHERE seller_id = ${sellerId}
  `.execute(db);
  return rows[0] ?? NOTHING_TOLD;
}

/** Keeps what is given; what is not stays. The same twice changes nothing. */
export async function keepOfferAnswers(
  db: Db,
  told: { sellerId: bigint; answers: OfferAnswersBody; now: Date },
): Promise<OfferAnswers> {
  const { answers, sellerId, now } = told;
  const given = (key: keyof OfferAnswers) => answers[key] !== undefined;
  const { rows } = await sql<OfferAnswers>`
    INSERT INTO offer_answers AS kept (seller_id, name, goal, motivation, updated_at)
    VALUES (${sellerId}, ${answers.name ?? null}, ${answers.goal ?? null},
      ${answers.motivation ?? null}, ${now})
    ON CONFLICT (seller_id) DO UPDATE SET
      name = CASE WHEN ${given("name")} THEN excluded.name ELSE kept.name END,
      goal = CASE WHEN ${given("goal")} THEN excluded.goal ELSE kept.goal END,
      motivation = CASE WHEN ${given("motivation")} THEN excluded.motivation
        ELSE kept.motivation END,
      updated_at = excluded.updated_at
    RETURNING name, goal, motivation
  `.execute(db);
  return rows[0] ?? NOTHING_TOLD;
}
