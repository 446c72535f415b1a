import * as contract from "@sesame/contract/developers";
import { refuse } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { App } from "../../app.ts";
import { on } from "../../http/on.ts";
import type { HttpServer } from "../../http/server.ts";
import { type Db, many, maybe } from "../../postgres/database.ts";
import { editProduct, productOf, productsPage } from "../catalogue/index.ts";
import { statisticsOf } from "../reports/index.ts";

const CURRENCY = "XOF";
const nothing = sql``;

function selectOrders(db: Db, rest: RawBuilder<unknown>) {
  return many<z.output<typeof contract.apiOrder>>(db)`
    SELECT o.id, o.status, o.title, o.product_id, o.group_id, o.price AS amount, o.fee,
      o.price - o.fee AS net, ${CURRENCY}::text AS currency, o.provider, o.direct, o.is_renewal,
      json_build_object('id', p.id, 'telegram_id', p.telegram_id::text, 'name', p.name) AS buyer,
      o.created_at, o.paid_at, o.access_until
    FROM orders o JOIN people p ON p.id = o.buyer_id WHERE ${rest}
  `;
}

const selectOrder = (db: Db, sellerId: bigint, id: bigint) =>
  selectOrders(db, sql`o.id = ${id} AND o.seller_id = ${sellerId}`);

type AccessRow = z.output<typeof contract.apiAccess>;

/** `chosen`: rows of accesses. */
function selectAccesses(db: Db, chosen: RawBuilder<unknown>): Promise<AccessRow[]> {
  return many<AccessRow>(db)`
    SELECT a.id, a.status, a.group_id, a.order_id,
      json_build_object('id', a.person_id, 'telegram_id', p.telegram_id::text,
        'name', p.name) AS member,
      a.started_at, a.ends_at, a.joined_at
    FROM (${chosen}) AS a JOIN people p ON p.id = a.person_id
    ORDER BY a.id DESC
  `;
}

/**
 * Present and former members of a seller's groups, newest first. The seller's own are selected
 * first: a scan in the order of ids would read everybody's.
 */
export function listSellerAccesses(
  db: Db,
  sellerId: bigint,
  { cursor, limit, status, group_id: groupId }: z.output<typeof contract.listApiAccesses.query>,
): Promise<AccessRow[]> {
  return selectAccesses(
    db,
    sql`WITH his AS MATERIALIZED (
        SELECT a.* FROM groups g JOIN accesses a ON a.group_id = g.id
        WHERE g.seller_id = ${sellerId}
          ${groupId === undefined ? nothing : sql`AND g.id = ${groupId}`}
          ${cursor === null ? nothing : sql`AND a.id < ${cursor}`}
          ${status === undefined ? nothing : sql`AND a.status = ${status}`}
      )
      SELECT * FROM his ORDER BY id DESC LIMIT ${limit}`,
  );
}

type ShopProduct = Awaited<ReturnType<typeof productsPage>>[number];

/** A product in the API's words. */
function productShown(product: ShopProduct): z.output<typeof contract.apiProduct> {
  const { group, duration } = product;
  return {
    ...product,
    currency: CURRENCY,
    duration_minutes: duration,
    group: group && { ...group, type: group.type === "canal" ? "channel" : "group" },
  };
}

/** The statistics in the API's words. */
function statisticsShown(figures: Awaited<ReturnType<typeof statisticsOf>>) {
  const { avancees: advanced } = figures;
  return {
    period: figures.periode,
    from: figures.du,
    to: figures.au,
    currency: CURRENCY,
    net: figureShown(figures.net),
    gross: figureShown(figures.brut),
    sales: figureShown(figures.ventes),
    fees: figures.frais,
    direct: figures.direct,
    new_sales: figures.nouvelles,
    renewals: figures.renouvellements,
    members: figures.membres,
    bars: figures.barres.map(({ debut, net, brut, ventes }) => {
      return { start: debut, net, gross: brut, sales: ventes };
    }),
    products: figures.produits.map(({ id, titre, ventes, net, part }) => {
      return { id, title: titre, sales: ventes, net, share_percent: part };
    }),
    subscriptions: advanced && {
      mrr: figureShown(advanced.mrr),
      active: advanced.abonnes,
      due: advanced.echeances,
      renewed: advanced.renouveles,
      lost: advanced.perdus,
      served: advanced.servis,
    },
  } as const;
}

function figureShown<T>({ valeur, precedent }: { valeur: T; precedent: T }) {
  return { value: valeur, previous: precedent };
}

type About = { type: contract.EventType; sellerId: bigint; subject: bigint };

/** The data of an event: exactly the API's object. Null: deleted meanwhile. */
export async function readEventData(app: App, tx: Db, { type, sellerId, subject }: About) {
  switch (type) {
    case "order.paid":
    case "order.refunded": {
      const [row] = await selectOrder(tx, sellerId, subject);
      return row ? z.encode(contract.apiOrder, row) : null;
    }
    case "access.started":
    case "access.ended": {
      const [row] = await selectAccesses(
        tx,
        sql`SELECT a.* FROM accesses a JOIN groups g ON g.id = a.group_id
          WHERE a.id = ${subject} AND g.seller_id = ${sellerId}`,
      );
      return row ? z.encode(contract.apiAccess, row) : null;
    }
    case "product.updated": {
      const product = await productOf(app, sellerId, subject);
      return product.ok ? z.encode(contract.apiProduct, productShown(product.value)) : null;
    }
    case "withdrawal.paid": {
      const row = await maybe<z.output<typeof contract.apiWithdrawal>>(tx)`
        SELECT id, reference, amount, ${CURRENCY}::text AS currency, method, created_at, paid_at
        FROM withdrawals WHERE id = ${subject} AND seller_id = ${sellerId}
      `;
      return row && z.encode(contract.apiWithdrawal, row);
    }
  }
}

/** The developer API: read by a seller's programs, with an API key. */
export function registerApi(app: App, http: HttpServer): void {
  on(http, contract.listApiProducts, async ({ query: { cursor: before, limit }, caller }) => {
    const rows = await productsPage(app, caller.personId, before, limit + 1);
    const { data, next_cursor } = pageOf(rows, limit);
    return { data: data.map(productShown), next_cursor };
  });
  on(http, contract.readApiProduct, async ({ params, caller }) => {
    const found = await productOf(app, caller.personId, params.id);
    return found.ok ? productShown(found.value) : found;
  });
  on(http, contract.changeApiProduct, async ({ params, body, caller }) => {
    const named = { sellerId: caller.personId, productId: params.id };
    const status = body?.status;
    // For another's product even an invalid body gets no other answer.
    const found = await productOf(app, named.sellerId, named.productId);
    if (!found.ok) return found;
    if (status !== "active" && status !== "inactive") return refuse({ kind: "request.malformed" });
    const edited = await editProduct(app, { ...named, form: { fields: { status }, image: null } });
    return edited.ok ? productShown(edited.value) : edited;
  });
  // Orders with a payment opened.
  on(http, contract.listApiOrders, async ({ query, caller }) => {
    const { cursor, limit, status, product_id: productId } = query;
    const rows = await selectOrders(
      app.db,
      sql`o.seller_id = ${caller.personId}
        ${cursor === null ? nothing : sql`AND o.id < ${cursor}`}
        ${status === undefined ? nothing : sql`AND o.status = ${status}`}
        ${productId === undefined ? nothing : sql`AND o.product_id = ${productId}`}
        AND EXISTS (SELECT FROM payments x WHERE x.order_id = o.id)
        ORDER BY o.id DESC LIMIT ${limit + 1}`,
    );
    return pageOf(rows, limit);
  });
  on(http, contract.readApiOrder, async ({ params, caller }) => {
    const [row] = await selectOrder(app.db, caller.personId, params.id);
    return row ?? refuse({ kind: "request.not-yours" });
  });
  on(http, contract.readApiStatistics, async ({ query: { period }, caller }) =>
    statisticsShown(await statisticsOf(app, caller.personId, period)),
  );
  on(http, contract.listApiAccesses, async ({ query, caller }) => {
    const asked = { ...query, limit: query.limit + 1 };
    return pageOf(await listSellerAccesses(app.db, caller.personId, asked), query.limit);
  });
}

/** One row more than requested shows that more follow; the last row of the page is the next cursor. */
export function pageOf<Row extends { readonly id: bigint | string | number }>(
  rows: readonly Row[],
  limit: number,
) {
  const data = rows.slice(0, limit);
  return { data, next_cursor: rows.length > limit ? String(data.at(-1)?.id) : null };
}
