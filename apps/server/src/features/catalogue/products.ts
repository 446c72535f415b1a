import { sayDuration, DONATION_LABEL } from "@sesame/contract";
import {
  PENDING_REASONS,
  PRODUCT_TEXT_KEYS,
  type PendingReason,
  type ProductKind,
  type ProductOnWire,
  type ProductStatus,
  productOnWire,
} from "@sesame/contract/catalogue";
import { type GroupFacts, type GroupState, stateOfGroup } from "@sesame/contract/groups";
import { type Fcfa, ok, refuse } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { type Db, maybe } from "../../postgres/database.ts";
import { answerRowsPart, mapPart, type Part, sideBySide } from "../../postgres/parts.ts";
import { GROUP_FACTS } from "../groups/index.ts";
import { methodsAtStart, offersOf } from "../payment-accounts/index.ts";
import { imageUrlOf, pictureOf } from "./image-files.ts";

export const UNKNOWN = refuse({ kind: "catalogue.product-unknown" });

/** The facts behind a product's status, image and labels. */
export type Facts = {
  readonly switched_on: boolean;
  /** By the operator: the product itself, or all products of its seller. */
  readonly suspension: Extract<PendingReason, "suspended" | "seller-suspended"> | null;
  /** The group has another seller now: its creator took it over. */
  readonly reclaimed: boolean | null;
  /** Null: a donation needs no group. */
  readonly group_facts: GroupFacts | null;
  readonly image: { readonly id: string; readonly width: number; readonly height: number } | null;
};

type ProductRow = Omit<
  z.output<typeof productOnWire>,
  keyof ReturnType<typeof publicFacts> | "status_reason" | "price"
> &
  Facts & { readonly price: Fcfa };

// Without suggestions below the minimum.
export const COLUMNS = sql`
  p.id, p.kind, p.reference, p.title, p.price,
  ARRAY(SELECT s FROM unnest(p.suggestions) AS s WHERE s >= p.price)::int[] AS suggestions,
  ${sql.join(PRODUCT_TEXT_KEYS.map((key) => sql.ref(`p.${key}`)))}, p.duration_minutes AS duration, p.switched_on,
  CASE WHEN p.suspended_at IS NOT NULL THEN 'suspended'
    WHEN EXISTS (SELECT FROM sellers s WHERE s.id = p.seller_id
      AND (s.suspended_at IS NOT NULL OR s.closed_at IS NOT NULL)) THEN 'seller-suspended'
  END AS suspension,
  CASE WHEN i.id IS NOT NULL
    THEN json_build_object('id', i.id, 'width', i.width, 'height', i.height) END AS image,
  g.seller_id <> p.seller_id AS reclaimed,
  CASE WHEN g.id IS NOT NULL THEN ${GROUP_FACTS} END AS group_facts
`;

export const GROUP_TYPE = sql`CASE g.kind WHEN 'channel' THEN 'canal' ELSE 'groupe' END`;

export const TABLES = sql`
  products p LEFT JOIN groups g ON g.id = p.group_id LEFT JOIN images i ON i.id = p.image_id
`;

const ALL = sql<unknown>`true`;

function selectOfSeller(seller: RawBuilder<unknown>, where: RawBuilder<unknown>) {
  return sql<ProductRow>`
    SELECT ${COLUMNS}, d.id AS duration_id, g.id AS group_id, g.chat_id AS "idGroup",
      CASE WHEN g.id IS NOT NULL
        THEN json_build_object('id', g.id, 'name', g.title, 'type', ${GROUP_TYPE}) END AS "group",
      p.views, coalesce(s.sales, 0) AS sales, coalesce(s.sales_new, 0) AS sales_new,
      coalesce(s.sales_renewed, 0) AS sales_renewed,
      coalesce(s.revenue_gross, 0) AS revenue_gross, coalesce(s.revenue_net, 0) AS revenue_net,
      p.category, p.stock, p.created_at, p.updated_at
    FROM ${TABLES}
    LEFT JOIN LATERAL (
      SELECT id FROM subscription_durations
      WHERE minutes = p.duration_minutes AND active
      ORDER BY price_tier = 'test', id LIMIT 1
    ) d ON true
    LEFT JOIN (
      SELECT product_id, sum(sales)::int AS sales, sum(sales - renewals)::int AS sales_new,
        sum(renewals)::int AS sales_renewed, sum(gross)::bigint AS revenue_gross,
        sum(gross - fees)::bigint AS revenue_net
      FROM seller_sums(${seller}) GROUP BY product_id
    ) s ON s.product_id = p.id
    WHERE p.seller_id = ${seller} AND p.archived_at IS NULL AND ${where}
    ORDER BY p.created_at DESC, p.id DESC
  `;
}

/** As JSON, for webhooks and for the answers stored under a key too. */
export function shown(app: App, row: ProductRow, providers: readonly string[]): ProductOnWire {
  const { reason, ...said } = publicFacts(app, row, providers);
  return productOnWire.encode({
    ...row,
    ...said,
    idGroup: row.idGroup === null ? null : Number(row.idGroup),
    status_reason: reason && PENDING_REASONS[reason],
  });
}

/** The public fields, also for the seller. Without `providers` it cannot be bought. */
export function publicFacts(
  { telegram }: App,
  row: Facts & Pick<ProductOnWire, "kind" | "reference" | "duration">,
  providers: readonly string[],
) {
  const { image, switched_on: switchedOn } = row;
  // Decision 34: the seller's switch, then the group and the payments.
  const reason = switchedOn ? pendingReason(row, providers.length > 0) : null;
  const status: ProductStatus = switchedOn ? (reason ? "pending" : "active") : "inactive";
  return {
    image_url: image && imageUrlOf(image.id),
    picture: image && pictureOf(image),
    duration_label: row.kind === "donation" ? DONATION_LABEL : sayDuration(row.duration),
    status,
    reason,
    share_link: telegram.names.shareLink(row.reference),
  };
}

function pendingReason(facts: Facts, canBePaid: boolean): PendingReason | null {
  if (facts.suspension) return facts.suspension;
  if (facts.reclaimed) return "group-reclaimed";
  const ofGroup = facts.group_facts && GROUP_REASONS[stateOfGroup(facts.group_facts)];
  return ofGroup ?? (canBePaid ? null : "no-provider");
}

const GROUP_REASONS: Readonly<Record<GroupState, PendingReason | null>> = {
  connected: null,
  removed: "group-removed",
  seller_not_admin: "group-seller-not-admin",
  public: "group-public",
  missing_rights: "group-missing-rights",
  over_quota: "group-over-quota",
};

/** Ids of the providers open for a seller. */
export async function providersOf(app: App, sellerId: bigint): Promise<readonly string[]> {
  return (await offersOf(app, sellerId)).map(({ provider }) => provider);
}

/** The seller's products that are not archived, newest first: all, or those that `where` selects. */
export async function productsOf(app: App, sellerId: bigint, where = ALL) {
  const [{ rows }, providers] = await Promise.all([
    selectOfSeller(sql`${sellerId}`, where).execute(app.db),
    providersOf(app, sellerId),
  ]);
  return rows.map((row) => shown(app, row, providers));
}

/** `productsOf`, older than an id. */
export function productsPage(app: App, sellerId: bigint, before: bigint | null, limit: number) {
  const older = before === null ? sql`` : sql`AND x.id < ${before}`;
  const where = sql`p.id IN (SELECT x.id FROM products x WHERE x.seller_id = ${sellerId}
    AND x.archived_at IS NULL ${older} ORDER BY x.id DESC LIMIT ${limit})`;
  return productsOf(app, sellerId, where);
}

/** `productsOf`, as a part of the seller's start. */
export function productsAtStart(app: App, seller: RawBuilder<unknown>): Part<ProductOnWire[]> {
  const rows = answerRowsPart(selectOfSeller(seller, ALL));
  return mapPart(
    sideBySide({ rows, providers: methodsAtStart(app, seller) }),
    ({ rows, providers }) => rows.map((row) => shown(app, row, providers)),
  );
}

/** Null for an absent, archived or another's product alike. */
export async function findProduct(db: Db, sellerId: bigint, productId: bigint) {
  const select = selectOfSeller(sql`${sellerId}`, sql`p.id = ${productId}`);
  return (await select.execute(db)).rows[0];
}

export async function productOf(app: App, sellerId: bigint, productId: bigint) {
  const row = await findProduct(app.db, sellerId, productId);
  return row ? ok(shown(app, row, await providersOf(app, sellerId))) : UNKNOWN;
}

/** People with time left in a membership last paid through this product. */
export async function membersOf({ db, clock }: App, sellerId: bigint, productId: bigint) {
  const counted = await maybe<{ members: number }>(db)`
    SELECT (
      SELECT count(*)::int FROM orders o JOIN accesses a ON a.order_id = o.id
      WHERE o.product_id = p.id AND a.ends_at > ${clock.now()}
        AND a.status IN ('waiting', 'inside', 'left')
    ) AS members
    FROM products p WHERE p.id = ${productId} AND p.seller_id = ${sellerId}
  `;
  return counted ?? UNKNOWN;
}

export type ProductForSale = {
  readonly id: bigint;
  readonly kind: ProductKind;
  readonly sellerId: bigint;
  /** Null for a donation. */
  readonly groupId: bigint | null;
  readonly reference: string;
  readonly title: string;
  /** The minimum of a donation. */
  readonly price: Fcfa;
  readonly durationMinutes: number;
  /** Places; null without limit. */
  readonly stock: number | null;
  /** The seller's own switch. */
  readonly switchedOn: boolean;
  readonly archived: boolean;
  readonly suspended: boolean;
};

/** For an order, which copies it; archived ones too, so that the order is refused with the reason. */
export function productForSale(db: Db, reference: string): Promise<ProductForSale | null> {
  return maybe<ProductForSale>(db)`
    SELECT p.id, p.kind, p.seller_id AS "sellerId", p.group_id AS "groupId", p.reference, p.title,
      p.price, p.duration_minutes AS "durationMinutes", p.stock, p.switched_on AS "switchedOn",
      p.archived_at IS NOT NULL AS archived,
      p.suspended_at IS NOT NULL OR s.suspended_at IS NOT NULL OR s.closed_at IS NOT NULL
        AS suspended
    FROM products p JOIN sellers s ON s.id = p.seller_id WHERE p.reference = ${reference}
  `;
}

/** Deletes a seller's answers about his offer. */
export async function eraseOfferAnswers(tx: Db, id: bigint): Promise<void> {
  await sql`DELETE FROM offer_answers WHERE seller_id = ${id}`.execute(tx);
}
