import { describe, expect, test } from "vitest";
import {
  addressOf,
  backFrom,
  HISTORY_MAX,
  hidesTabBar,
  isMainRoute,
  parentOf,
  remember,
  tabOf,
  landingOf,
  buyerAddress,
} from "./navigation.ts";

describe("back navigation", () => {
  test.each([
    "/",
    "/IndexEspace",
    "/ProductsList",
    "/GroupeListe",
    "/Statistics",
    "/PaymentsSheetsIndex",
    "/productslist/",
  ])("from the main route %s leads home, and its native button is hidden", (path) => {
    expect(isMainRoute(path)).toBe(true);
    expect(backFrom(path, ["/profile"]).to).toBe("/IndexEspace");
  });

  test.each([
    ["/ProductCard/12", "/ProductsList"],
    ["/ajouterProduit/-1001", "/ProductsList"],
    ["/GroupeDetail/-1001/groupe/Club%20VIP", "/GroupeListe"],
    ["/relierbot", "/GroupeListe"],
    ["/RelierBot", "/GroupeListe"],
    ["/retrait", "/IndexEspace"],
    ["/HistoriqueRetraits", "/retrait"],
    ["/AnnulerRetrait/45", "/HistoriqueRetraits"],
    ["/ProductCard/12/abonnements", "/ProductCard/12"],
    ["/PaymentSelector", "/Plans"],
    ["/AjouterMethode?nom=fedapay", "/ActivationMethode"],
    ["/reclamations", "/IndexEspace"],
    ["/reclamations/12", "/reclamations"],
    ["/CustomerSupport/12", "/CustomerSupport"],
    ["/mes-donnees", "/PaymentsSheetsIndex"],
  ])("from the child route %s leads to its parent whatever came before", (path, parent) => {
    expect(isMainRoute(path)).toBe(false);
    expect(parentOf(path)).toBe(parent);
    expect(backFrom(path, ["/profile"]).to).toBe(parent);
  });

  test("from another route pops the history, skipping the place itself", () => {
    const back = backFrom("/ModifierProduit/3", [
      "/ProductsList",
      "/ProductCard/3",
      "/ModifierProduit/3",
    ]);
    expect(back).toEqual({ to: "/ProductCard/3", history: ["/ProductsList"] });
  });

  test("keeps queries, never the key of an old link, and no payment form to fall back into", () => {
    expect(addressOf("/PaymentStatus", "paymentId=12")).toBe("/PaymentStatus?paymentId=12");
    expect(addressOf("/ModifierKey", "key=sk_live_1")).toBe("/ModifierKey");
    expect(remember(["/Plans"], "/PaymentSelector")).toEqual(["/Plans"]);
    expect(remember(["/Plans"], "/IndexPaiement?id=moneroo")).toEqual(["/Plans"]);
  });

  test("falls back to the home page when the history is empty", () => {
    expect(backFrom("/Plans", [])).toEqual({ to: "/IndexEspace", history: [] });
  });

  test("remembers ten places at most, the newest", () => {
    let history: string[] = [];
    for (let step = 0; step < 14; step += 1) history = remember(history, `/ProductCard/${step}`);
    expect(history).toHaveLength(HISTORY_MAX);
    expect(history[0]).toBe("/ProductCard/4");
    expect(remember(history, "/ProductCard/13")).toEqual(history);
  });
});

describe("the tab bar", () => {
  test.each([
    ["/", "home"],
    ["/ProductCard/1", "products"],
    ["/ModifierProduit/1", "products"],
    ["/GroupeDetail/-100/canal/x", "groups"],
    ["/Statistics", "statistics"],
    ["/Plans", "settings"],
    ["/Donation", "products"],
    ["/profile", "settings"],
    ["/ConfigurationRetrait", "settings"],
    ["/retrait", "home"],
    ["/AnnulerRetrait/45", "home"],
    ["/transactions/history", "home"],
    ["/nowhere", null],
  ])("on %s highlights %s", (path, tab) => {
    expect(tabOf(path)).toBe(tab);
  });

  test("is hidden on key and method pages and on the first-launch cards", () => {
    expect(hidesTabBar("/ModifierKey")).toBe(true);
    expect(hidesTabBar("/AjouterMethode/x")).toBe(true);
    expect(hidesTabBar("/stories")).toBe(true);
    expect(hidesTabBar("/ProductsList")).toBe(false);
  });
});

const at = (deja: boolean, plan: boolean, path: string) => landingOf({ deja, plan }, path).path;

test("a seller who chose a plan lands at home, and his onboarding is corrected", () => {
  for (const path of ["/", "/Plans", "/stories"]) {
    expect(landingOf({ deja: false, plan: true }, path)).toEqual({
      path: "/IndexEspace",
      finishOnboarding: true,
    });
  }
  expect(at(true, true, "/ProductsList")).toBeNull();
});

test("a newcomer reads the stories, then chooses a plan", () => {
  expect(at(false, false, "/")).toBe("/stories");
  expect(at(false, false, "/stories")).toBeNull();
  expect(at(true, false, "/IndexEspace")).toBe("/Plans");
  expect(at(true, false, "/Plans")).toBeNull();
});

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
