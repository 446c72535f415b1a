import { PRODUCT_TEXT_KEYS, type ProductOnWire } from "@sesame/contract/catalogue";
import { foldedIncludes } from "../../lib/text.ts";

/** A §9. */
export const SORTS = ["recent", "price-asc", "price-desc", "views", "sales"] as const;
export type Sort = (typeof SORTS)[number];

/** Stands for the group of what has none. */
const DONATIONS = "donation";

/** Empty means all. */
export type Browse = {
  readonly search: string;
  readonly sort: Sort;
  readonly status: string;
  readonly group: string;
  readonly category: string;
};

export const BROWSE_ALL: Browse = {
  search: "",
  sort: "recent",
  status: "",
  group: "",
  category: "",
};

export function isFiltered(browse: Browse): boolean {
  return [browse.search.trim(), browse.status, browse.group, browse.category].some(
    (value) => value !== "",
  );
}

/** The products that pass the search and the filters, in the chosen order. */
export function browseProducts(
  products: readonly ProductOnWire[],
  browse: Browse,
): ProductOnWire[] {
  return products
    .filter(
      (product) =>
        (browse.status === "" || product.status === browse.status) &&
        (browse.group === "" || groupKey(product) === browse.group) &&
        (browse.category === "" || product.category === browse.category) &&
        (browse.search.trim() === "" || matches(product, browse.search)),
    )
    .sort(ORDERS[browse.sort]);
}

export function groupKey(product: ProductOnWire): string {
  return product.group_id ?? DONATIONS;
}

function matches(product: ProductOnWire, search: string): boolean {
  return (
    foldedIncludes(product.title, search) ||
    PRODUCT_TEXT_KEYS.some((key) => foldedIncludes(product[key], search)) ||
    foldedIncludes(product.reference, search) ||
    foldedIncludes(product.group?.name ?? "", search)
  );
}

const newest = (a: ProductOnWire, b: ProductOnWire) =>
  Date.parse(b.created_at) - Date.parse(a.created_at);

const ORDERS: Record<Sort, (a: ProductOnWire, b: ProductOnWire) => number> = {
  recent: newest,
  "price-asc": (a, b) => a.price - b.price || newest(a, b),
  "price-desc": (a, b) => b.price - a.price || newest(a, b),
  views: (a, b) => b.views - a.views || newest(a, b),
  sales: (a, b) => b.sales - a.sales || newest(a, b),
};
