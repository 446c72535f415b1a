import { Suspense, useEffect } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { Welcome } from "../features/identity/welcome.tsx";
import { Home } from "../features/reports/home.tsx";
import { later } from "../lib/later.ts";
import { whenIdle } from "../lib/realtime.ts";
import { decodePart, HOME, SETTINGS } from "../lib/text.ts";
import { Waiting as SomeScreen } from "../kit/skeleton.tsx";
import { screens } from "./route-lists.tsx";

// Home is in the first load; each other screen is loaded when opened, or when the phone is idle.
const load = {
  groupList: () => import("../features/groups/group-list.tsx"),
  productsList: () => import("../features/catalogue/products-list.tsx"),
  productCard: () => import("../features/catalogue/product-card.tsx"),
  subscriptions: () => import("../features/catalogue/subscriptions.tsx"),
  productForm: () => import("../features/catalogue/new-product.tsx"),
  withdraw: () => import("../features/withdrawals/withdraw.tsx"),
  automaticPayout: () => import("../features/withdrawals/automatic-payout.tsx"),
  tracking: () => import("../features/withdrawals/tracking.tsx"),
  transactions: () => import("../features/reports/transactions.tsx"),
  settings: () => import("../features/identity/settings.tsx"),
};

const GroupDetail = later(() => import("../features/groups/group-detail.tsx"), "GroupDetail");
const NewProduct = later(load.productForm, "NewProduct");
const Profile = later(() => import("../features/identity/profile.tsx"), "Profile");
const OtherRoutes = later(() => import("./payment-routes.tsx"), "PaymentRoutes");

/** Decision 33: duplicates lead to the real page. */
const SAME_PAGE: readonly (readonly [from: string, to: string])[] = [
  ["/settings", SETTINGS],
  ["/listeProduit", "/ProductsList"],
  ["/dashboard", HOME],
  ["/historique", "/transactions/history"],
];

const SCREENS = [
  ["/", Home],
  ["/IndexEspace", Home],
  ["/stories", later(() => import("../features/identity/stories.tsx"), "Stories")],
  ["/Plans", later(() => import("../features/plans/plans.tsx"), "Plans")],
  ["/relierbot", later(() => import("../features/groups/link-bot.tsx"), "LinkBot")],
  ["/GroupeListe", later(load.groupList, "GroupList")],
  ["/ProductsList", later(load.productsList, "ProductsList")],
  ["/Statistics", later(() => import("../features/reports/statistics.tsx"), "Statistics")],
  ["/transactions/history", later(load.transactions, "Transactions")],
  ["/retrait", later(load.withdraw, "Withdraw")],
  ["/ConfigurationRetrait", later(load.automaticPayout, "AutomaticPayout")],
  ["/HistoriqueRetraits", later(load.tracking, "WithdrawalHistory")],
  ["/PaymentsSheetsIndex", later(load.settings, "Settings")],
  ["/ProductCard/:id/abonnements", later(load.subscriptions, "Subscriptions")],
  ["/ProductCard/:id", later(load.productCard, "ProductCard")],
  ["/ModifierProduit/:id", later(load.productForm, "EditProduct")],
  ["/AnnulerRetrait/:id", later(load.tracking, "CancelWithdrawal")],
] as const;

export function Routes({ onLogout }: { onLogout(): Promise<void> }) {
  useEffect(() => whenIdle(fetchTabs), []);
  return (
    <Suspense fallback={<Waiting />}>
      <Switch>
        {screens(SCREENS)}
        <Route path="/GroupeDetail/:idGroup/:type/:nom">
          {({ idGroup, nom }) => (
            <GroupDetail key={idGroup} idGroup={decodePart(idGroup)} name={decodePart(nom)} />
          )}
        </Route>
        <Route path="/GroupeDetail/:idGroup">
          {({ idGroup }) => <GroupDetail key={idGroup} idGroup={decodePart(idGroup)} name="" />}
        </Route>
        <Route path="/ajouterProduit/:idGroup">
          {({ idGroup }) => <NewProduct key={idGroup} idGroup={decodePart(idGroup)} />}
        </Route>
        <Route path="/editProduct/:id">
          {({ id }) => <Redirect to={`/ModifierProduit/${id}`} replace />}
        </Route>
        <Route path="/profile">
          <Profile onLogout={onLogout} />
        </Route>
        {SAME_PAGE.map(([from, to]) => (
          <Route key={from} path={from}>
            <Redirect to={to} replace />
          </Route>
        ))}
        <Route>
          <OtherRoutes onLogout={onLogout} />
        </Route>
      </Switch>
    </Suspense>
  );
}

function Waiting() {
  const [path] = useLocation();
  return path.toLowerCase() === "/stories" ? <Welcome /> : <SomeScreen />;
}

/** The tabs' screens, and what is opened from them first. */
function fetchTabs(): void {
  const soon = [load.withdraw, load.productsList, load.groupList, load.settings, load.productCard];
  for (const fetchScreen of soon) fetchScreen().catch(() => undefined);
}
