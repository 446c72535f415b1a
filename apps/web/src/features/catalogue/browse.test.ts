import { expect, test } from "vitest";
import { exampleProduct } from "../../testing/wire-examples.ts";
import { BROWSE_ALL, browseProducts, isFiltered } from "./products-list.tsx";

const products = [
  exampleProduct({ id: "1", price: 5_000, views: 3, sales: 9, created_at: "2026-11-01T00:00:00Z" }),
  exampleProduct({
    id: "2",
    title: "Éducation financière",
    price: 1_500,
    views: 8,
    sales: 2,
    status: "pending",
    category: "formation",
    created_at: "2026-11-03T00:00:00Z",
  }),
  exampleProduct({
    id: "3",
    title: "Cuisine",
    group_id: "2",
    price: 9_000,
    views: 5,
    sales: 4,
    created_at: "2026-11-02T00:00:00Z",
  }),
];

const ids = (browse: Partial<typeof BROWSE_ALL>) =>
  browseProducts(products, { ...BROWSE_ALL, ...browse }).map(({ id }) => id);

test.each<[string, string[]]>([
  ["recent", ["2", "3", "1"]],
  ["price-asc", ["2", "1", "3"]],
  ["price-desc", ["3", "1", "2"]],
  ["views", ["2", "3", "1"]],
  ["sales", ["1", "3", "2"]],
])("sorted by %s", (sort, order) => {
  expect(ids({ sort })).toEqual(order);
});

test("a search ignores accents and case", () => {
  expect(ids({ search: "  EDUC " })).toEqual(["2"]);
});

test("status, group and category narrow the list together", () => {
  expect(ids({ status: "pending" })).toEqual(["2"]);
  expect(ids({ group: "2" })).toEqual(["3"]);
  expect(ids({ category: "formation", group: "2" })).toEqual([]);
});

test("an empty search is no filter", () => {
  expect(isFiltered({ ...BROWSE_ALL, search: "  ", sort: "views" })).toBe(false);
  expect(isFiltered({ ...BROWSE_ALL, status: "active" })).toBe(true);
});
