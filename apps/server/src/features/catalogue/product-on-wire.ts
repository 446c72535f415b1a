import {
  PENDING_REASONS,
  type ProductOnWire,
  type PublicProductOnWire,
  sayDuration,
} from "@sesame/contract/catalogue";
import { fcfaToJson } from "@sesame/kernel";
import { imageUrlOf, pictureOf } from "./image-files.ts";
import { type StatusWithReason, statusOfProduct, unavailabilityOf } from "./product-status.ts";
import type { GroupColumns, ProductRow, PublicProductRow } from "./products.view.ts";

/** What the rows do not know. */
export type ShelfFacts = {
  /** Ids of the providers its seller can be paid by; none: nothing of his can be bought. */
  readonly providers: readonly string[];
  shareLink(reference: string): string;
};

export function productToWire(row: ProductRow, facts: ShelfFacts): ProductOnWire {
  const { status, reason } = statusOf(row, facts);
  return {
    id: String(row.id),
    reference: row.reference,
    title: row.title,
    price: fcfaToJson(row.price),
    description: row.description,
    ...imageOf(row),
    duration: row.duration_minutes,
    duration_id: row.duration_id === null ? null : String(row.duration_id),
    duration_label: sayDuration(row.duration_minutes),
    group_id: String(row.group_id),
    idGroup: Number(row.chat_id),
    group: { id: String(row.group_id), name: row.group_title, type: typeOf(row) },
    status,
    status_reason: reason && PENDING_REASONS[reason],
    share_link: facts.shareLink(row.reference),
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

export function publicProductToWire(row: PublicProductRow, facts: ShelfFacts): PublicProductOnWire {
  const standing = statusOf(row, facts);
  const unavailable = unavailabilityOf(standing);
  return {
    id: String(row.id),
    reference: row.reference,
    title: row.title,
    price: fcfaToJson(row.price),
    description: row.description,
    ...imageOf(row),
    duration: row.duration_minutes,
    duration_label: sayDuration(row.duration_minutes),
    seller: { id: String(row.seller_id), name: row.seller_name },
    group: { name: row.group_title, type: typeOf(row), members: row.member_count },
    status: standing.status,
    ...(unavailable ? { unavailable } : {}),
    places_left: row.stock === null ? null : Math.max(0, row.stock - Number(row.places_taken)),
    providers: [...facts.providers],
    share_link: facts.shareLink(row.reference),
  };
}

function statusOf(
  row: GroupColumns & Pick<ProductRow, "switched_on" | "suspension">,
  facts: ShelfFacts,
): StatusWithReason {
  return statusOfProduct({
    switchedOn: row.switched_on,
    suspension: row.suspension,
    providerOpen: facts.providers.length > 0,
    group: {
      botPresent: row.bot_present,
      publicUsername: row.public_username,
      rights: {
        manage_chat: row.can_manage,
        invite_users: row.can_invite,
        restrict_members: row.can_restrict,
      },
      inQuota: row.in_quota,
    },
  });
}

function typeOf(row: GroupColumns): "groupe" | "canal" {
  return row.group_kind === "channel" ? "canal" : "groupe";
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
