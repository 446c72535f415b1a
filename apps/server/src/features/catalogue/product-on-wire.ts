import {
  DONATION_LABEL,
  PENDING_REASONS,
  type ProductOnWire,
  type PublicProductOnWire,
  sayDuration,
} from "@sesame/contract/catalogue";
import { fcfaToJson } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { imageUrlOf, pictureOf } from "./image-files.ts";
import { type StatusWithReason, statusOfProduct, unavailabilityOf } from "./product-status.ts";
import type { ProductRow, PublicProductRow } from "./products.view.ts";

/** `providers` are those its seller can be paid by; none: nothing of his can be bought. */
export function productToWire(
  { telegram }: App,
  row: ProductRow,
  providers: readonly string[],
): ProductOnWire {
  const { status, reason } = statusOf(row, providers);
  return {
    ...commonToWire(row),
    duration_id: row.duration_id === null ? null : String(row.duration_id),
    ...groupToWire(row),
    status,
    status_reason: reason && PENDING_REASONS[reason],
    share_link: telegram.names.shareLink(row.reference),
    views: row.views,
    sales: Number(row.sales_new + row.sales_renewed),
    sales_new: Number(row.sales_new),
    sales_renewed: Number(row.sales_renewed),
    revenue_gross: fcfaToJson(row.revenue_gross),
    revenue_net: fcfaToJson(row.revenue_net),
    category: row.category,
    stock: row.stock,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function publicProductToWire(
  { telegram }: App,
  row: PublicProductRow,
  providers: readonly string[],
): PublicProductOnWire {
  const standing = statusOf(row, providers);
  const unavailable = unavailabilityOf(standing);
  return {
    ...commonToWire(row),
    seller: { id: String(row.seller_id), name: row.seller_name },
    group:
      row.kind === "donation"
        ? null
        : { name: row.group_title, type: typeOf(row.group_kind), members: row.member_count },
    status: standing.status,
    ...(unavailable ? { unavailable } : {}),
    places_left: row.stock === null ? null : Math.max(0, row.stock - Number(row.places_taken)),
    providers: [...providers],
    share_link: telegram.names.shareLink(row.reference),
  };
}

type CommonOnWire = Pick<
  ProductOnWire & PublicProductOnWire,
  | "id"
  | "kind"
  | "reference"
  | "title"
  | "price"
  | "suggestions"
  | "description"
  | "image_url"
  | "picture"
  | "duration"
  | "duration_label"
>;

function commonToWire(row: ProductRow | PublicProductRow): CommonOnWire {
  return {
    id: String(row.id),
    kind: row.kind,
    reference: row.reference,
    title: row.title,
    price: fcfaToJson(row.price),
    suggestions: row.suggestions.map(Number),
    description: row.description,
    ...imageOf(row),
    duration: row.duration_minutes,
    duration_label: row.kind === "donation" ? DONATION_LABEL : sayDuration(row.duration_minutes),
  };
}

function groupToWire(row: ProductRow): Pick<ProductOnWire, "group_id" | "idGroup" | "group"> {
  if (row.kind === "donation") return { group_id: null, idGroup: null, group: null };
  const id = String(row.group_id);
  const group = { id, name: row.group_title, type: typeOf(row.group_kind) };
  return { group_id: id, idGroup: Number(row.chat_id), group };
}

function statusOf(
  row: ProductRow | PublicProductRow,
  providers: readonly string[],
): StatusWithReason {
  return statusOfProduct({
    switchedOn: row.switched_on,
    suspension: row.suspension,
    reclaimed: row.reclaimed ?? false,
    providerOpen: providers.length > 0,
    group:
      row.kind === "donation"
        ? null
        : {
            botPresent: row.bot_present,
            publicUsername: row.public_username,
            rights: {
              manage_chat: row.can_manage,
              invite_users: row.can_invite,
              restrict_members: row.can_restrict,
            },
            inQuota: row.in_quota,
            sellerMayOwn: row.seller_may_own,
          },
  });
}

function typeOf(kind: "supergroup" | "channel"): "groupe" | "canal" {
  return kind === "channel" ? "canal" : "groupe";
}

type ImageColumns = {
  readonly image_id: string | null;
  readonly image_width: number | null;
  readonly image_height: number | null;
};

function imageOf(row: ImageColumns): Pick<ProductOnWire, "image_url" | "picture"> {
  const { image_id: id, image_width: width, image_height: height } = row;
  if (id === null || width === null || height === null) return { image_url: null, picture: null };
  return { image_url: imageUrlOf(id), picture: pictureOf({ id, width, height }) };
}
