/** Where one is at the desk. Addresses are compared without case, as the router does. */
export const DESK_HOME = "/bureau";

export type DeskTab = "queue" | "buyers" | "day" | "search" | "alerts" | "settings";

const TABS: readonly (readonly [start: string, tab: DeskTab])[] = [
  ["/bureau/retraits", "queue"],
  ["/bureau/remboursements", "buyers"],
  ["/bureau/reclamations", "buyers"],
  ["/bureau/assistance", "buyers"],
  ["/bureau/jour", "day"],
  ["/bureau/recherche", "search"],
  ["/bureau/commandes", "search"],
  ["/bureau/vendeurs", "search"],
  ["/bureau/alertes", "alerts"],
  ["/bureau/reglages", "settings"],
  ["/bureau/journal", "settings"],
];

function bare(path: string): string {
  const cut = (path.split(/[?#]/)[0] ?? "").toLowerCase();
  return cut.length > 1 ? cut.replace(/\/+$/, "") : cut;
}

export function deskTabOf(path: string): DeskTab | null {
  const here = bare(path);
  if (here === DESK_HOME) return "queue";
  return TABS.find(([start]) => here === start || here.startsWith(`${start}/`))?.[1] ?? null;
}

/** The tabs' own screens have no way back. */
const MAIN = [
  DESK_HOME,
  "/bureau/remboursements",
  "/bureau/reclamations",
  "/bureau/assistance",
  "/bureau/jour",
  "/bureau/recherche",
  "/bureau/alertes",
  "/bureau/reglages",
];

export function isMainDeskRoute(path: string): boolean {
  return MAIN.includes(bare(path));
}

/** Where "back" leads when nothing was visited before. */
export function deskParentOf(path: string): string {
  const here = bare(path);
  if (/^\/bureau\/(vendeurs|commandes)\//.test(here)) return "/bureau/recherche";
  if (here.startsWith("/bureau/reclamations/")) return "/bureau/reclamations";
  if (here.startsWith("/bureau/assistance/")) return "/bureau/assistance";
  if (here === "/bureau/journal") return "/bureau/reglages";
  return DESK_HOME;
}
