import { expect, test } from "vitest";
import { buyerAddress } from "./buyer-address.ts";

const place = { pathname: "/", search: "", hash: "#tgWebAppData=x" };

test("a start parameter in init data leads to the product's page, with the proof", () => {
  expect(buyerAddress(place, "user=%7B%7D&start_param=vip1K3pQ")).toBe(
    "/?tgWebAppStartParam=vip1K3pQ#tgWebAppData=x",
  );
});

test("an address that already carries the parameter is left alone", () => {
  const there = { ...place, search: "?tgWebAppStartParam=vip1K3pQ" };
  expect(buyerAddress(there, "start_param=vip1K3pQ")).toBeNull();
});

test("a seller stays where he is", () => {
  expect(buyerAddress(place, "user=%7B%7D")).toBeNull();
  expect(buyerAddress(place, null)).toBeNull();
  expect(buyerAddress({ ...place, pathname: "/Plans" }, "start_param=vip1K3pQ")).toBeNull();
});
