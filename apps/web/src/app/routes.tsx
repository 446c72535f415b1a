import { lazy, Suspense, useEffect } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { Welcome } from "../features/identity/welcome.tsx";
import { Home } from "../features/reports/home.tsx";
import { whenIdle } from "../lib/realtime.ts";
import { decodePart } from "../lib/text.ts";
import { Skeleton, SkeletonRows } from "../kit/skeleton.tsx";
import { HOME } from "./navigation.ts";
import { Stack } from "../kit/layout.tsx";

// Home is in the first load; each other screen comes when asked for, or when the phone is idle.
const load = {
  stories: () => import("../features/identity/stories.tsx"),
  plans: () => import("../features/plans/plans.tsx"),
  linkBot: () => import("../features/groups/link-bot.tsx"),
  groupList: () => import("../features/groups/group-list.tsx"),
  groupDetail: () => import("../features/groups/group-detail.tsx"),
  productsList: () => import("../features/catalogue/products-list.tsx"),
  productCard: () => import("../features/catalogue/product-card.tsx"),
  subscriptions: () => import("../features/catalogue/subscriptions.tsx"),
  newProduct: () => import("../features/catalogue/edit-product.tsx"),
  editProduct: () => import("../features/catalogue/edit-product.tsx"),
  statistics: () => import("../features/reports/statistics.tsx"),
  withdraw: () => import("../features/withdrawals/withdraw.tsx"),
  automaticPayout: () => import("../features/withdrawals/automatic-payout.tsx"),
  withdrawalHistory: () => import("../features/withdrawals/withdrawal-history.tsx"),
  cancelWithdrawal: () => import("../features/withdrawals/cancel-withdrawal.tsx"),
  transactions: () => import("../features/reports/transactions.tsx"),
  settings: () => import("../features/identity/settings.tsx"),
  profile: () => import("../features/identity/profile.tsx"),
  others: () => import("./payment-routes.tsx"),
};

const Stories = lazy(async () => ({ default: (await load.stories()).Stories }));
const Plans = lazy(async () => ({ default: (await load.plans()).Plans }));
const LinkBot = lazy(async () => ({ default: (await load.linkBot()).LinkBot }));
const GroupList = lazy(async () => ({ default: (await load.groupList()).GroupList }));
const GroupDetail = lazy(async () => ({ default: (await load.groupDetail()).GroupDetail }));
const ProductsList = lazy(async () => ({ default: (await load.productsList()).ProductsList }));
const ProductCard = lazy(async () => ({ default: (await load.productCard()).ProductCard }));
const Subscriptions = lazy(async () => ({ default: (await load.subscriptions()).Subscriptions }));
const NewProduct = lazy(async () => ({ default: (await load.newProduct()).NewProduct }));
const EditProduct = lazy(async () => ({ default: (await load.editProduct()).EditProduct }));
const Statistics = lazy(async () => ({ default: (await load.statistics()).Statistics }));
const Withdraw = lazy(async () => ({ default: (await load.withdraw()).Withdraw }));
const AutomaticPayout = lazy(async () => ({
  default: (await load.automaticPayout()).AutomaticPayout,
}));
const WithdrawalHistory = lazy(async () => ({
  default: (await load.withdrawalHistory()).WithdrawalHistory,
}));
const CancelWithdrawal = lazy(async () => ({
  default: (await load.cancelWithdrawal()).CancelWithdrawal,
}));
const Transactions = lazy(async () => ({ default: (await load.transactions()).Transactions }));
const Settings = lazy(async () => ({ default: (await load.settings()).Settings }));
const Profile = lazy(async () => ({ default: (await load.profile()).Profile }));
const OtherRoutes = lazy(async () => ({ default: (await load.others()).PaymentRoutes }));

/** Decision 33: duplicates lead to the real page. */
const SAME_PAGE: readonly (readonly [from: string, to: string])[] = [
  ["/settings", "/PaymentsSheetsIndex"],
  ["/listeProduit", "/ProductsList"],
  ["/dashboard", HOME],
  ["/historique", "/transactions/history"],
];

export function Routes({ onLogout }: { onLogout(): Promise<void> }) {
  useIdlePreload();
  return (
    <Suspense fallback={<Waiting />}>
      <Switch>
        <Route path="/" component={Home} />
        <Route path="/IndexEspace" component={Home} />
        <Route path="/stories" component={Stories} />
        <Route path="/Plans" component={Plans} />
        <Route path="/relierbot" component={LinkBot} />
        <Route path="/GroupeListe" component={GroupList} />
        <Route path="/GroupeDetail/:idGroup/:type/:nom">
          {({ idGroup, nom }) => (
            <GroupDetail idGroup={decodePart(idGroup)} name={decodePart(nom)} />
          )}
        </Route>
        <Route path="/GroupeDetail/:idGroup">
          {({ idGroup }) => <GroupDetail idGroup={decodePart(idGroup)} name="" />}
        </Route>
        <Route path="/ProductsList" component={ProductsList} />
        <Route path="/ProductCard/:id/abonnements">
          {({ id }) => <Subscriptions id={decodePart(id)} />}
        </Route>
        <Route path="/ProductCard/:id">{({ id }) => <ProductCard id={decodePart(id)} />}</Route>
        <Route path="/ajouterProduit/:idGroup">
          {({ idGroup }) => <NewProduct idGroup={decodePart(idGroup)} />}
        </Route>
        <Route path="/ModifierProduit/:id">{({ id }) => <EditProduct id={decodePart(id)} />}</Route>
        <Route path="/editProduct/:id">
          {({ id }) => <Redirect to={`/ModifierProduit/${id}`} replace />}
        </Route>
        <Route path="/Statistics" component={Statistics} />
        <Route path="/transactions/history" component={Transactions} />
        <Route path="/retrait" component={Withdraw} />
        <Route path="/ConfigurationRetrait" component={AutomaticPayout} />
        <Route path="/HistoriqueRetraits" component={WithdrawalHistory} />
        <Route path="/AnnulerRetrait/:id">
          {({ id }) => <CancelWithdrawal key={id} id={decodePart(id)} />}
        </Route>
        <Route path="/PaymentsSheetsIndex" component={Settings} />
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
  if (path.toLowerCase() === "/stories") return <Welcome />;
  return (
    <Stack gap={5} page>
      <Skeleton width="55%" height="1.75rem" />
      <SkeletonRows count={5} label="…" />
    </Stack>
  );
}

/** The tabs' screens are fetched while nobody waits. */
function useIdlePreload(): void {
  useEffect(
    () =>
      whenIdle(() => {
        const soon = [
          load.withdraw,
          load.productsList,
          load.groupList,
          load.settings,
          load.productCard,
        ];
        for (const fetchScreen of soon) fetchScreen().catch(() => undefined);
      }),
    [],
  );
}
