/** The place of a screen in the back office. Addresses are compared without case, as the router does. */
export const BACK_OFFICE_HOME = "/bureau";

export type StaffTab = "queue" | "buyers" | "day" | "search" | "alerts" | "settings";

/** Each with the screen that "back" leads to when the history is empty; a tab's own has none. */
const PLACES: readonly (readonly [start: string, tab: StaffTab, parent?: string])[] = [
  ["/bureau/retraits", "queue", BACK_OFFICE_HOME],
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
  const here = (path.split(/[?#]/)[0] ?? "").toLowerCase().replace(/\/+$/, "");
  const place = PLACES.find(([start]) => here === start || here.startsWith(`${start}/`));
  const [start = BACK_OFFICE_HOME, tab = null, parent] = place ?? [];
  return { here, start, tab: here === BACK_OFFICE_HOME ? "queue" : tab, parent };
}

export function staffTabOf(path: string): StaffTab | null {
  return find(path).tab;
}

export function isMainBackOfficeRoute(path: string): boolean {
  const { here, start, parent } = find(path);
  return here === start && parent === undefined;
}

export function staffParentOf(path: string): string {
  const { here, start, parent } = find(path);
  return parent ?? (here === start ? BACK_OFFICE_HOME : start);
}
