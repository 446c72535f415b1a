import { describe, expect, test } from "vitest";
import { renderBuyerPage } from "./entry-server.tsx";
import type { BuyerView } from "./page.ts";

const page = (view: BuyerView) => ({
  view,
  botUsername: "sesame_bot",
  botAppName: null,
  providers: [],
});

describe("the page of an order, as the server renders it", () => {
  // The server compresses one rendering for all orders: a number in it would be another order's.
  test.each<[string, BuyerView, BuyerView]>([
    ["by its number", { at: "order", orderId: "12" }, { at: "order", orderId: "987654" }],
    ["by a payment's name", { at: "named", name: "py_a" }, { at: "named", name: "another" }],
  ])("is the same whichever order it is, %s", (_how, one, other) => {
    expect(renderBuyerPage(page(one))).toBe(renderBuyerPage(page(other)));
  });
});
