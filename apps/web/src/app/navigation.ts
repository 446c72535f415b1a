import { HISTORY, HOME, SETTINGS } from "../lib/text.ts";
import { startParamIn } from "../telegram/launch.ts";

/** A §2 "Back navigation". Routes are compared without case, as the router does. */

export type Tab = "home" | "products" | "groups" | "statistics" | "settings";

/** Each route's tab (decision 26), and the list that it belongs to. Null: the route is the tab's own. */
const PLACES: readonly (readonly [start: string, tab: Tab, parent?: string | null])[] = [
  ["/indexespace", "home", null],
  ["/retrait", "home", HOME],
  ["/historiqueretraits", "home", "/retrait"],
  ["/annulerretrait", "home", HISTORY],
  ["/transactions/history", "home"],
  ["/reclamations", "home", HOME],
  ["/calendrier", "home", HOME],
  ["/productslist", "products", null],
  ["/productcard", "products", "/ProductsList"],
  ["/ajouterproduit", "products", "/ProductsList"],
  ["/modifierproduit", "products"],
  ["/editproduct", "products"],
  ["/soni", "products"],
  ["/donation", "products"],
  ["/groupeliste", "groups", null],
  ["/groupedetail", "groups", "/GroupeListe"],
  ["/relierbot", "groups", "/GroupeListe"],
  ["/statistics", "statistics", null],
  ["/paymentssheetsindex", "settings", null],
  ["/settings", "settings"],
  ["/profile", "settings"],
  ["/plans", "settings"],
  ["/configurationretrait", "settings"],
  ["/paymentselector", "settings", "/Plans"],
  ["/indexpaiement", "settings"],
  ["/indexpaiementabonnement", "settings"],
  ["/paymentstatus", "settings"],
  ["/moneroopaymentstatus", "settings"],
  ["/paymentstatusfedapay", "settings"],
  ["/paymentstatusfedapayfalse", "settings"],
  ["/activationmethode", "settings", SETTINGS],
  ["/ajoutermethode", "settings", "/ActivationMethode"],
  ["/modifierkey", "settings", "/ActivationMethode"],
  ["/modifierkeyindex", "settings", "/ActivationMethode"],
  ["/paymentsheet", "settings", SETTINGS],
  ["/succesbottomsheetindex", "settings"],
  ["/custompaymentconfig", "settings", SETTINGS],
  ["/configurerpaiement", "settings", SETTINGS],
  ["/indexfaq", "settings"],
  ["/mes-donnees", "settings", SETTINGS],
  ["/developpeurs", "settings", SETTINGS],
  ["/customersupport", "settings"],
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
  return PLACES.find(([start]) => here === start || here.startsWith(`${start}/`));
}

export function isMainRoute(path: string): boolean {
  const [start, , parent] = placeOf(path) ?? [];
  return bare(path) === "/" || (bare(path) === start && parent === null);
}

/** The list a child route belongs to; null for another route. */
export function parentOf(path: string): string | null {
  const product = SUBSCRIPTIONS.exec(path.split(/[?#]/)[0] ?? "");
  if (product?.[1]) return product[1];
  if (/^\/reclamations\/./i.test(bare(path))) return "/reclamations";
  if (/^\/customersupport\/./.test(bare(path))) return "/CustomerSupport";
  return placeOf(path)?.[2] ?? null;
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
  if (PASSAGES.includes(bare(path))) return [...history];
  if (history[history.length - 1] === path) return [...history];
  return [...history, path].slice(-HISTORY_MAX);
}

/** The tab to highlight; null on routes that belong to none. */
export function tabOf(path: string): Tab | null {
  return bare(path) === "/" ? "home" : (placeOf(path)?.[1] ?? null);
}

/** A §2: hidden on key and method pages; the first-launch cards fill the screen. */
export function hidesTabBar(path: string): boolean {
  return /modifierkey|ajoutermethode/i.test(path) || bare(path) === "/stories";
}

/** What the landing depends on: `deja` and `plan` of the user (A §3). */
export type OnboardingState = { readonly deja: boolean; readonly plan: boolean };

export type Landing = {
  /** Where to go; null: no move. */
  readonly path: string | null;
  /** `deja` must be corrected to true by a user update. */
  readonly finishOnboarding: boolean;
};

const STAY: Landing = { path: null, finishOnboarding: false };
const DOORS = ["/", "/plans", "/stories"];

/** A §2 "Redirect on first load": for the seller area, on its first landing only (decision 15). */
export function landingOf(user: OnboardingState, path: string): Landing {
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
