import type { UserOnWire } from "@sesame/contract/identity";
import { HISTORY, HOME, SETTINGS } from "../lib/text.ts";
import { startParamIn } from "../telegram/launch.ts";

/** A §2 "Back navigation". Routes are compared without case, as the router does. */

export type Tab = "home" | "products" | "groups" | "statistics" | "settings";

/** Routes of one tab (decision 26) and one list. Null: the route is the tab's own. */
const PLACES: readonly (readonly [tab: Tab, parent: string | null | undefined, routes: string])[] =
  [
    ["home", null, "/indexespace"],
    ["home", HOME, "/retrait /reclamations /calendrier"],
    ["home", "/retrait", "/historiqueretraits"],
    ["home", HISTORY, "/annulerretrait"],
    ["home", undefined, "/transactions/history"],
    ["products", null, "/productslist"],
    ["products", "/ProductsList", "/productcard /ajouterproduit"],
    ["products", undefined, "/modifierproduit /editproduct /soni /donation"],
    ["groups", null, "/groupeliste"],
    ["groups", "/GroupeListe", "/groupedetail /relierbot"],
    ["statistics", null, "/statistics"],
    ["settings", null, "/paymentssheetsindex"],
    ["settings", undefined, "/settings /profile /plans /configurationretrait /indexfaq"],
    ["settings", "/Plans", "/paymentselector"],
    ["settings", undefined, "/indexpaiement /indexpaiementabonnement /paymentstatus"],
    ["settings", undefined, "/paymentstatusfedapay /paymentstatusfedapayfalse"],
    ["settings", SETTINGS, "/activationmethode /paymentsheet /custompaymentconfig"],
    ["settings", "/ActivationMethode", "/ajoutermethode /modifierkey /modifierkeyindex"],
    ["settings", undefined, "/moneroopaymentstatus /succesbottomsheetindex /customersupport"],
    ["settings", SETTINGS, "/configurerpaiement /mes-donnees /developpeurs"],
  ];

/** Two segments after the product's own; "back" from the list of its subscriptions leads to it. */
const SUBSCRIPTIONS = /^(\/productcard\/[^/]+)\/abonnements$/i;

export const HISTORY_MAX = 10;

function bare(path: string): string {
  const cut = path.split(/[?#]/)[0]?.toLowerCase() ?? "";
  return cut.length > 1 ? cut.replace(/\/+$/, "") : cut;
}

export function isSameScreen(left: string, here: string): boolean {
  return bare(left) === bare(here);
}

function placeOf(path: string) {
  const here = bare(path);
  for (const [tab, parent, routes] of PLACES) {
    const route = routes.split(" ").find((each) => here === each || here.startsWith(`${each}/`));
    if (route) return { tab, parent, route };
  }
  return null;
}

export function isMainRoute(path: string): boolean {
  const place = placeOf(path);
  return bare(path) === "/" || (bare(path) === place?.route && place.parent === null);
}

/** The list a child route belongs to; null for another route. */
export function parentOf(path: string): string | null {
  const product = SUBSCRIPTIONS.exec(path.split(/[?#]/)[0] ?? "");
  if (product?.[1]) return product[1];
  if (/^\/reclamations\/./i.test(bare(path))) return "/reclamations";
  if (/^\/customersupport\/./.test(bare(path))) return "/CustomerSupport";
  return placeOf(path)?.parent ?? null;
}

export type Back = { readonly to: string; readonly history: readonly string[] };

/** Where "back" leads from `path`, and the history that is left. */
export function backFrom(path: string, history: readonly string[]): Back {
  if (isMainRoute(path)) return { to: HOME, history };
  const parent = parentOf(path);
  if (parent) return { to: parent, history };
  const rest = [...history];
  for (let last = rest.pop(); last !== undefined; last = rest.pop()) {
    if (bare(last) !== bare(path)) return { to: last, history: rest };
  }
  return { to: HOME, history: [] };
}

/** The whole address, without the keys some old links carry (decision 52). */
export function addressOf(path: string, search: string): string {
  const query = new URLSearchParams(search);
  query.delete("key");
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Screens on the way to a payment's page: "back" leads nobody into paying again. */
const PASSAGES = ["/paymentselector", "/indexpaiement", "/indexpaiementabonnement"];

/** The history after leaving `path`: the last ten places. */
export function remember(history: readonly string[], path: string): string[] {
  if (PASSAGES.includes(bare(path)) || history.at(-1) === path) return [...history];
  return [...history, path].slice(-HISTORY_MAX);
}

/** The tab to highlight; null on routes that belong to none. */
export function tabOf(path: string): Tab | null {
  return bare(path) === "/" ? "home" : (placeOf(path)?.tab ?? null);
}

/** A §2: hidden on key and method pages; the first-launch cards fill the screen. */
export function hidesTabBar(path: string): boolean {
  return /modifierkey|ajoutermethode/i.test(path) || bare(path) === "/stories";
}

// `path`: where to go; null: no move. `finishOnboarding`: `deja` must be corrected by a user update.
const STAY = { path: null, finishOnboarding: false };
const DOORS = ["/", "/plans", "/stories"];

/** A §2 "Redirect on first load": for the seller area, on its first landing only (decision 15). */
export function landingOf(user: Pick<UserOnWire, "deja" | "plan">, path: string) {
  const here = path.toLowerCase();
  if (user.plan) {
    if (!DOORS.includes(here)) return STAY;
    return { path: HOME, finishOnboarding: !user.deja };
  }
  if (!user.deja) return here === "/stories" ? STAY : { ...STAY, path: "/stories" };
  return here === "/plans" ? STAY : { ...STAY, path: "/Plans" };
}

type Place = Pick<Location, "pathname" | "search" | "hash">;

/**
 * Where a person who came by a start parameter belongs; null for a seller. Init data carries the parameter
 * when the address does not (WIRE §2); the fragment goes along, since it proves who the person is.
 */
export function buyerAddress(place: Place, initData: string | null): string | null {
  if (place.pathname !== "/") return null;
  if (new URLSearchParams(place.search).has("tgWebAppStartParam")) return null;
  const reference = initData ? startParamIn(initData) : null;
  if (!reference) return null;
  return `/?tgWebAppStartParam=${encodeURIComponent(reference)}${place.hash}`;
}
