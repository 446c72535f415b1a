import { type ComponentType, Suspense, useEffect, useSyncExternalStore } from "react";
import { Route, Switch, useParams } from "wouter";
import { staffCopy } from "../features/back-office/messages.fr.ts";
import { OperatorOnly, Panes } from "../features/back-office/frame.tsx";
import { BACK_OFFICE_HOME } from "../features/back-office/place.ts";
import { Queue } from "../features/back-office/queue.tsx";
import { later } from "../lib/later.ts";
import { whenIdle } from "../lib/realtime.ts";
import { decodePart } from "../lib/text.ts";
import { Stack } from "../kit/layout.tsx";
import { Empty } from "../kit/screen.tsx";
import { Waiting } from "../kit/skeleton.tsx";
import { Unknown } from "./route-lists.tsx";

// The queue is in the back office's first load; each other screen is loaded when opened.
const load = {
  withdrawal: () => import("../features/back-office/withdrawal.tsx"),
  seller: () => import("../features/back-office/seller.tsx"),
  order: () => import("../features/back-office/order.tsx"),
  cases: () => import("../features/back-office/cases.tsx"),
  settings: () => import("../features/back-office/settings.tsx"),
  audit: () => import("../features/back-office/audit.tsx"),
};

const Search = later(() => import("../features/back-office/search.tsx"), "Search");

type StaffScreen = readonly [
  path: string,
  shown: ComponentType<{ id: string }>,
  /** The list that stands beside it on a desktop; or who may see it. */
  place?: "queue" | "search" | "operator",
];

const SCREENS: readonly StaffScreen[] = [
  ["/bureau/retraits/:id", later(load.withdrawal, "Withdrawal"), "queue"],
  ["/bureau/recherche", Search],
  ["/bureau/vendeurs/:id", later(load.seller, "Seller"), "search"],
  ["/bureau/commandes/:id", later(load.order, "Order"), "search"],
  ["/bureau/remboursements", later(() => import("../features/back-office/refunds.tsx"), "Refunds")],
  ["/bureau/reclamations", later(load.cases, "StaffComplaints")],
  ["/bureau/reclamations/:id", later(load.cases, "StaffComplaint")],
  ["/bureau/assistance", later(load.cases, "StaffTickets")],
  ["/bureau/assistance/:id", later(load.cases, "StaffTicket")],
  ["/bureau/jour", later(() => import("../features/back-office/day.tsx"), "Day")],
  ["/bureau/alertes", later(() => import("../features/back-office/alerts.tsx"), "Alerts")],
  ["/bureau/reglages", later(load.settings, "Settings"), "operator"],
  ["/bureau/journal", later(load.audit, "Audit"), "operator"],
];

export function BackOfficeRoutes() {
  const wide = useWide();
  useEffect(() => whenIdle(() => void load.withdrawal().catch(() => undefined)), []);
  return (
    <Switch>
      <Route path={BACK_OFFICE_HOME}>
        <Panes
          wide={wide}
          list={<Queue />}
          detail={
            wide ? (
              <Stack page="alone" center>
                <Empty of={["receipt", staffCopy.chooseRequest]} />
              </Stack>
            ) : null
          }
        />
      </Route>
      {SCREENS.map((screen) => (
        <Route key={screen[0]} path={screen[0]}>
          <Shown of={screen} wide={wide} />
        </Route>
      ))}
      <Route>
        <Unknown home={BACK_OFFICE_HOME} words={staffCopy.unknownRoute} />
      </Route>
    </Switch>
  );
}

function Shown({ of, wide }: { of: StaffScreen; wide: boolean }) {
  const [, One, place] = of;
  const id = decodePart(useParams<{ id?: string }>().id ?? "");
  const one = (
    <Suspense fallback={<Waiting />}>
      <One key={id} id={id} />
    </Suspense>
  );
  if (place === "operator") return <OperatorOnly>{one}</OperatorOnly>;
  if (place !== "queue" && place !== "search") return one;
  const list =
    place === "queue" ? (
      <Queue chosen={id} />
    ) : (
      <Suspense fallback={<Waiting />}>
        <Search />
      </Suspense>
    );
  return <Panes wide={wide} list={list} detail={one} />;
}

/** From here on the list and the detail stand side by side. */
const WIDE = "(min-width: 900px)";

function useWide(): boolean {
  return useSyncExternalStore(watch, () => matchMedia(WIDE).matches);
}

function watch(changed: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
}
