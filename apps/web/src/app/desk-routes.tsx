import { Suspense, useEffect, useSyncExternalStore, type ReactNode } from "react";
import { Route, Switch, useLocation } from "wouter";
import { deskCopy } from "../features/back-office/messages.fr.ts";
import { NothingChosen, OperatorOnly, Panes } from "../features/back-office/frame.tsx";
import { DESK_HOME } from "../features/back-office/place.ts";
import { useDesk } from "../features/back-office/use-desk.ts";
import { Queue } from "../features/back-office/queue.tsx";
import { later } from "../lib/later.ts";
import { whenIdle } from "../lib/realtime.ts";
import { decodePart } from "../lib/text.ts";
import { Waiting } from "../kit/screen.tsx";
import { toast } from "../kit/toast.tsx";

// The queue is in the desk's first load; each other screen comes when asked for.
const load = {
  withdrawal: () => import("../features/back-office/withdrawal.tsx"),
  day: () => import("../features/back-office/day.tsx"),
  search: () => import("../features/back-office/search.tsx"),
  seller: () => import("../features/back-office/seller.tsx"),
  refunds: () => import("../features/back-office/refunds.tsx"),
  cases: () => import("../features/back-office/cases.tsx"),
  order: () => import("../features/back-office/order.tsx"),
  alerts: () => import("../features/back-office/alerts.tsx"),
  settings: () => import("../features/back-office/settings.tsx"),
  audit: () => import("../features/back-office/audit.tsx"),
};

const Withdrawal = later(load.withdrawal, "Withdrawal");
const Day = later(load.day, "Day");
const Search = later(load.search, "Search");
const Seller = later(load.seller, "Seller");
const Refunds = later(load.refunds, "Refunds");
const DeskClaims = later(load.cases, "DeskClaims");
const DeskClaim = later(load.cases, "DeskClaim");
const DeskTickets = later(load.cases, "DeskTickets");
const DeskTicket = later(load.cases, "DeskTicket");
const Order = later(load.order, "Order");
const Alerts = later(load.alerts, "Alerts");
const Settings = later(load.settings, "Settings");
const Audit = later(load.audit, "Audit");

export function DeskRoutes() {
  const wide = useWide();
  useEffect(() => whenIdle(() => void load.withdrawal().catch(() => undefined)), []);
  return (
    <Switch>
      <Route path="/bureau">
        <Panes
          wide={wide}
          list={<Queue />}
          detail={wide ? <NothingChosen title={deskCopy.chooseRequest} /> : null}
        />
      </Route>
      <Route path="/bureau/retraits/:id">
        {({ id }) => (
          <Panes
            wide={wide}
            list={<Queue chosen={decodePart(id)} />}
            detail={
              <Lazily>
                <Withdrawal key={id} id={decodePart(id)} />
              </Lazily>
            }
          />
        )}
      </Route>
      <Route path="/bureau/recherche">
        <Panes
          wide={wide}
          list={<SearchList />}
          detail={wide ? <NothingChosen title={deskCopy.chooseSeller} /> : null}
        />
      </Route>
      <Route path="/bureau/vendeurs/:id">
        {({ id }) => (
          <Found>
            <Seller key={id} id={decodePart(id)} />
          </Found>
        )}
      </Route>
      <Route path="/bureau/commandes/:id">
        {({ id }) => (
          <Found>
            <Order key={id} id={decodePart(id)} />
          </Found>
        )}
      </Route>
      {buyerRoutes()}
      <Route path="/bureau/jour">
        <Lazily>
          <Day />
        </Lazily>
      </Route>
      <Route path="/bureau/alertes">
        <Lazily>
          <Alerts />
        </Lazily>
      </Route>
      <Route path="/bureau/reglages">
        <ForOperator>
          <Settings />
        </ForOperator>
      </Route>
      <Route path="/bureau/journal">
        <ForOperator>
          <Audit />
        </ForOperator>
      </Route>
      <Route component={Unknown} />
    </Switch>
  );
}

/** What buyers are owed and hold against a sale, and what sellers ask. Called, not rendered: Switch reads it. */
function buyerRoutes(): ReactNode {
  return (
    <>
      <Route path="/bureau/remboursements">
        <Lazily>
          <Refunds />
        </Lazily>
      </Route>
      <Route path="/bureau/reclamations">
        <Lazily>
          <DeskClaims />
        </Lazily>
      </Route>
      <Route path="/bureau/assistance">
        <Lazily>
          <DeskTickets />
        </Lazily>
      </Route>
      <Route path="/bureau/assistance/:id">
        {({ id }) => (
          <Lazily>
            <DeskTicket key={id} id={decodePart(id)} />
          </Lazily>
        )}
      </Route>
      <Route path="/bureau/reclamations/:id">
        {({ id }) => (
          <Lazily>
            <DeskClaim key={id} id={decodePart(id)} />
          </Lazily>
        )}
      </Route>
    </>
  );
}

/** What was found, beside the search that found it. */
function Found({ children }: { children: ReactNode }) {
  return <Panes wide={useWide()} list={<SearchList />} detail={<Lazily>{children}</Lazily>} />;
}

function SearchList() {
  return (
    <Lazily>
      <Search />
    </Lazily>
  );
}

function Lazily({ children }: { children: ReactNode }) {
  return <Suspense fallback={<Waiting />}>{children}</Suspense>;
}

/** The server refuses the others; here they read why. */
function ForOperator({ children }: { children: ReactNode }) {
  const desk = useDesk();
  if (!desk) return <Waiting />;
  return desk.me.operator ? <Lazily>{children}</Lazily> : <OperatorOnly />;
}

function Unknown() {
  const [, navigate] = useLocation();
  useEffect(() => {
    toast(deskCopy.unknownRoute, "bad");
    navigate(DESK_HOME, { replace: true });
  }, [navigate]);
  return null;
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
