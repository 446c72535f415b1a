import type { ProductOnWire } from "@sesame/contract/catalogue";
import type {
  ApiAccess,
  ApiOrder,
  ApiProduct,
  ApiStatistics,
  ApiWithdrawal,
} from "@sesame/contract/developers";
import type { FigureOnWire, StatisticsAnswer } from "@sesame/contract/reports";
import { type Fcfa, fcfaToJson } from "@sesame/kernel";
import type { AccessRow, OrderRow, WithdrawalRow } from "./api.view.ts";

const CURRENCY = "XOF";

/** The app's own words for a product, in the API's. */
export function productToApi(product: ProductOnWire): ApiProduct {
  const { id, reference, title, description, price, status, group } = product;
  return {
    id,
    reference,
    title,
    description,
    price,
    currency: CURRENCY,
    duration_minutes: product.duration,
    status,
    group: group && {
      id: group.id,
      name: group.name,
      type: group.type === "canal" ? "channel" : "group",
    },
    stock: product.stock,
    share_link: product.share_link,
    created_at: product.created_at,
    updated_at: product.updated_at,
  };
}

export function orderToApi(row: OrderRow): ApiOrder {
  return {
    id: String(row.id),
    status: row.status,
    title: row.title,
    product_id: String(row.product_id),
    group_id: row.group_id === null ? null : String(row.group_id),
    amount: fcfaToJson(row.price),
    fee: fcfaToJson(row.fee),
    net: fcfaToJson((row.price - row.fee) as Fcfa),
    currency: CURRENCY,
    provider: row.provider,
    direct: row.direct,
    is_renewal: row.is_renewal,
    buyer: personToApi({ id: row.buyer_id, telegramId: row.telegram_id, name: row.buyer_name }),
    created_at: row.created_at.toISOString(),
    paid_at: row.paid_at?.toISOString() ?? null,
    access_until: row.access_until?.toISOString() ?? null,
  };
}

export function accessToApi(row: AccessRow): ApiAccess {
  return {
    id: String(row.id),
    status: row.status,
    group_id: String(row.group_id),
    order_id: row.order_id === null ? null : String(row.order_id),
    member: personToApi({ id: row.person_id, telegramId: row.telegram_id, name: row.name }),
    started_at: row.started_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    joined_at: row.joined_at?.toISOString() ?? null,
  };
}

export function withdrawalToApi(row: WithdrawalRow): ApiWithdrawal {
  return {
    id: String(row.id),
    reference: row.reference,
    amount: fcfaToJson(row.amount),
    currency: CURRENCY,
    method: row.method,
    created_at: row.created_at.toISOString(),
    paid_at: row.paid_at?.toISOString() ?? null,
  };
}

/** The app's own figures, in the API's words. */
export function statisticsToApi(told: StatisticsAnswer): ApiStatistics {
  const { avancees: advanced } = told;
  return {
    period: told.periode,
    from: told.du,
    to: told.au,
    currency: CURRENCY,
    net: figureToApi(told.net),
    gross: figureToApi(told.brut),
    sales: figureToApi(told.ventes),
    fees: told.frais,
    direct: told.direct,
    new_sales: told.nouvelles,
    renewals: told.renouvellements,
    members: told.membres,
    bars: told.barres.map(({ debut, net, brut, ventes }) => {
      return { start: debut, net, gross: brut, sales: ventes };
    }),
    products: told.produits.map(({ id, titre, ventes, net, part }) => {
      return { id, title: titre, sales: ventes, net, share_percent: part };
    }),
    subscriptions: advanced && {
      mrr: figureToApi(advanced.mrr),
      active: advanced.abonnes,
      due: advanced.echeances,
      renewed: advanced.renouveles,
      lost: advanced.perdus,
      served: advanced.servis,
    },
  };
}

function figureToApi({ valeur, precedent }: FigureOnWire) {
  return { value: valeur, previous: precedent };
}

function personToApi(person: { id: bigint; telegramId: bigint; name: string }) {
  return { id: String(person.id), telegram_id: String(person.telegramId), name: person.name };
}
