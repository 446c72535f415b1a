import { assert } from "@sesame/kernel";
import { and, count, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import type pg from "pg";
import * as entities from "./seller-start.entities.ts";

const { groups, images, orders, products, sellers, withdrawals } = entities;

type Mapped = NodePgDatabase<typeof entities>;

/**
 * What a seller's screens begin with, by an object mapper and in five queries, one after the other:
 * entities with their relations, made the answer's fields. It says less than the product does
 * (neither the week's revenue nor the claims), and what it says is the same.
 */
export function createMappedReader(pool: pg.Pool) {
  const db = drizzle(pool, { schema: entities });
  return async (id: number) => ({
    user: await findUser(db, id),
    channels: await findChannels(db, id),
    products: await findProducts(db, id),
    vendorSubscriptions: await findSubscriptions(db, id),
    withdrawalRequests: await findRequests(db, id),
  });
}

async function findUser(db: Mapped, id: number) {
  const seller = await db.query.sellers.findFirst({
    where: eq(sellers.id, id),
    with: { person: true, free: true, premium: true },
  });
  assert(seller, "who signed in is a seller");
  const { person, free, premium } = seller;
  assert(person && free && premium, "a seller is a person with two accounts");
  return {
    id: String(seller.id),
    telegram_id: person.telegram_id,
    username: person.username,
    display_name: seller.display_name,
    country: seller.country,
    photo_url: person.photo_url,
    deja: seller.onboarded,
    plan: seller.plan !== null,
    premium_until: seller.premium_until?.toISOString() ?? null,
    balanceGratuit: free.posted,
    balancePayant: premium.posted,
    whatsapp_number: seller.whatsapp_number,
    created_at: seller.created_at.toISOString(),
    updated_at: seller.updated_at.toISOString(),
  };
}

async function findChannels(db: Mapped, id: number) {
  const rows = await db.query.groups.findMany({
    where: eq(groups.seller_id, id),
    with: { products: { where: isNull(products.archived_at), columns: { id: true } } },
    extras: {
      sales: sql<number>`(SELECT count(*)::int FROM orders o
        WHERE o.seller_id = ${id} AND o.group_id = ${groups.id} AND o.status = 'paid')`.as("sales"),
    },
    orderBy: [groups.linked_at, groups.id],
  });
  return rows.map((group) => ({
    id: String(group.id),
    name: group.title,
    telegram_group_id: group.chat_id,
    details: {
      members: group.member_count,
      public: group.public_username !== null,
      username: group.public_username,
      last_event_at: group.last_event_at?.toISOString() ?? null,
      checked_at: group.checked_at.toISOString(),
      linked_at: group.linked_at.toISOString(),
      products: group.products.length,
      sales: group.sales,
    },
  }));
}

async function findProducts(db: Mapped, id: number) {
  const sold = db
    .select({
      product_id: orders.product_id,
      sales: count().as("sales"),
      renewals: sql`count(*) FILTER (WHERE ${orders.is_renewal})`.mapWith(Number).as("renewals"),
      gross: sql`sum(${orders.price})`.mapWith(Number).as("gross"),
      net: sql`sum(${orders.price} - ${orders.fee})`.mapWith(Number).as("net"),
    })
    .from(orders)
    .where(and(eq(orders.seller_id, id), eq(orders.status, "paid")))
    .groupBy(orders.product_id)
    .as("sold");
  const { sales, renewals, gross, net } = sold;
  const rows = await db
    .select({
      product: products,
      group: groups,
      image: images,
      sold: { sales, renewals, gross, net },
    })
    .from(products)
    .leftJoin(groups, eq(groups.id, products.group_id))
    .leftJoin(images, eq(images.id, products.image_id))
    .leftJoin(sold, eq(sold.product_id, products.id))
    .where(and(eq(products.seller_id, id), isNull(products.archived_at)))
    .orderBy(desc(products.created_at), desc(products.id));
  return rows.map(({ product, group, sold: sums }) => ({
    id: String(product.id),
    kind: product.kind,
    reference: product.reference,
    title: product.title,
    price: product.price,
    suggestions: product.suggestions,
    description: product.description,
    duration: product.duration_minutes,
    group_id: group && String(group.id),
    idGroup: group && group.chat_id,
    group: group && { id: String(group.id), name: group.title },
    views: product.views,
    sales: sums?.sales ?? 0,
    sales_new: (sums?.sales ?? 0) - (sums?.renewals ?? 0),
    sales_renewed: sums?.renewals ?? 0,
    revenue_gross: sums?.gross ?? 0,
    revenue_net: sums?.net ?? 0,
    category: product.category,
    stock: product.stock,
    created_at: product.created_at.toISOString(),
    updated_at: product.updated_at.toISOString(),
  }));
}

async function findSubscriptions(db: Mapped, id: number) {
  const rows = await db.query.orders.findMany({
    where: and(eq(orders.seller_id, id), inArray(orders.status, ["paid", "refunded"])),
    with: { buyer: true },
    orderBy: desc(orders.id),
    limit: 100,
  });
  return rows.map((sale) => ({
    id: String(sale.id),
    group_id: String(sale.group_id ?? ""),
    idProduit: String(sale.product_id),
    typeAbonnement: sale.title,
    prix: sale.price,
    net: sale.price - sale.fee,
    dateCreation: (sale.paid_at ?? sale.created_at).toISOString(),
    dateRenouvellement: sale.access_until?.toISOString() ?? null,
    userId: String(sale.buyer_id),
    nomClient: [sale.buyer?.first_name, sale.buyer?.last_name].filter(Boolean).join(" "),
    estRenouvellement: sale.is_renewal,
    direct: sale.direct,
    valide: sale.status === "paid",
  }));
}

async function findRequests(db: Mapped, id: number) {
  const rows = await db.query.withdrawals.findMany({
    where: eq(withdrawals.seller_id, id),
    orderBy: desc(withdrawals.id),
    limit: 20,
  });
  return rows.map(({ id: request, amount, reference }) => ({
    id: String(request),
    montant: amount,
    reference,
  }));
}
