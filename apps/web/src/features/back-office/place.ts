/** Where one is at the desk. Addresses are compared without case, as the router does. */
export const DESK_HOME = "/bureau";

export type DeskTab = "queue" | "buyers" | "day" | "search" | "alerts" | "settings";

/** Each with the screen that "back" leads to when nothing was visited before; a tab's own has none. */
const PLACES: readonly (readonly [start: string, tab: DeskTab, parent?: string])[] = [
  ["/bureau/retraits", "queue", DESK_HOME],
  ["/bureau/remboursements", "buyers"],
  ["/bureau/reclamations", "buyers"],
  ["/bureau/assistance", "buyers"],
  ["/bureau/jour", "day"],
  ["/bureau/recherche", "search"],
  ["/bureau/commandes", "search", "/bureau/recherche"],
  ["/bureau/vendeurs", "search", "/bureau/recherche"],
  ["/bureau/alertes", "alerts"],
  ["/bureau/reglages", "settings"],
  ["/bureau/journal", "settings", "/bureau/reglages"],
];

function find(path: string) {
  const cut = (path.split(/[?#]/)[0] ?? "").toLowerCase();
  const here = cut.length > 1 ? cut.replace(/\/+$/, "") : cut;
  const place = PLACES.find(([start]) => here === start || here.startsWith(`${start}/`));
  const [start = DESK_HOME, tab = null, parent] = place ?? [];
  return { here, start, tab: here === DESK_HOME ? "queue" : tab, parent };
}

export function deskTabOf(path: string): DeskTab | null {
  return find(path).tab;
}

export function isMainDeskRoute(path: string): boolean {
  const { here, start, parent } = find(path);
  return here === start && parent === undefined;
}

export function deskParentOf(path: string): string {
  const { here, start, parent } = find(path);
  return parent ?? (here === start ? DESK_HOME : start);
}
