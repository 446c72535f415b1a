import { lazy, Suspense, useEffect } from "react";
import { Route, Switch, useLocation, useSearch } from "wouter";
import { decodePart } from "../lib/text.ts";
import { SkeletonRows } from "../kit/skeleton.tsx";
import { toast } from "../kit/toast.tsx";
import { appCopy } from "./messages.fr.ts";
import { addressOf, HOME } from "./navigation.ts";
import { Stack } from "../kit/layout.tsx";

// Payments, own accounts, claims and help: this list too comes only when one of them is asked for.
const load = {
  selector: () => import("../features/plans/payment-selector.tsx"),
  status: () => import("../features/plans/payment-status.tsx"),
  activation: () => import("../features/payment-accounts/activation.tsx"),
  addMethod: () => import("../features/payment-accounts/add-method.tsx"),
  modifyKey: () => import("../features/payment-accounts/modify-key.tsx"),
  sheets: () => import("../features/payment-accounts/sheets.tsx"),
  donations: () => import("../features/catalogue/donations.tsx"),
  claims: () => import("../features/cases/claims.tsx"),
  developers: () => import("../features/developers/developers.tsx"),
  claim: () => import("../features/cases/claim.tsx"),
  calendar: () => import("../features/reports/calendar.tsx"),
  shop: () => import("../features/catalogue/my-shop.tsx"),
  soni: () => import("../features/catalogue/soni.tsx"),
  support: () => import("../features/cases/customer-support.tsx"),
  ticket: () => import("../features/cases/ticket.tsx"),
  faq: () => import("../features/cases/index-faq.tsx"),
  personalData: () => import("../features/identity/personal-data.tsx"),
};

const PaymentSelector = lazy(async () => ({ default: (await load.selector()).PaymentSelector }));
const PaymentForm = lazy(async () => ({ default: (await load.selector()).PaymentForm }));
const PaymentStatus = lazy(async () => ({ default: (await load.status()).PaymentStatus }));
const ActivationMethode = lazy(async () => ({
  default: (await load.activation()).ActivationMethode,
}));
const AjouterMethode = lazy(async () => ({ default: (await load.addMethod()).AjouterMethode }));
const ModifierKey = lazy(async () => ({ default: (await load.modifyKey()).ModifierKey }));
const PaymentSheet = lazy(async () => ({ default: (await load.sheets()).PaymentSheet }));
const Success = lazy(async () => ({ default: (await load.sheets()).SuccesBottomSheetIndex }));
const CustomConfig = lazy(async () => ({ default: (await load.sheets()).CustomPaymentConfig }));
const Configurer = lazy(async () => ({ default: (await load.sheets()).ConfigurerPaiement }));
const Donations = lazy(async () => ({ default: (await load.donations()).Donations }));
const Claims = lazy(async () => ({ default: (await load.claims()).Claims }));
const Developers = lazy(async () => ({ default: (await load.developers()).Developers }));
const MyShop = lazy(async () => ({ default: (await load.shop()).MyShop }));
const Soni = lazy(async () => ({ default: (await load.soni()).Soni }));
const Calendrier = lazy(async () => ({ default: (await load.calendar()).Calendrier }));
const Claim = lazy(async () => ({ default: (await load.claim()).Claim }));
const Support = lazy(async () => ({ default: (await load.support()).CustomerSupport }));
const Ticket = lazy(async () => ({ default: (await load.ticket()).Ticket }));
const IndexFaq = lazy(async () => ({ default: (await load.faq()).IndexFaq }));
const PersonalData = lazy(async () => ({ default: (await load.personalData()).PersonalData }));

export function PaymentRoutes({ onLogout }: { onLogout(): Promise<void> }) {
  useWithoutKey();
  return (
    <Suspense fallback={<SkeletonRows count={4} label={appCopy.loading} />}>
      <Switch>
        <Route path="/PaymentSelector" component={PaymentSelector} />
        <Route path="/IndexPaiement" component={PaymentForm} />
        <Route path="/IndexPaiementAbonnement" component={PaymentForm} />
        <Route path="/PaymentStatus" component={PaymentStatus} />
        <Route path="/MonerooPaymentStatus" component={PaymentStatus} />
        <Route path="/PaymentStatusFedapay" component={PaymentStatus} />
        <Route path="/PaymentStatusFedapayFalse" component={PaymentStatus} />
        <Route path="/ActivationMethode" component={ActivationMethode} />
        <Route path="/AjouterMethode" component={AjouterMethode} />
        <Route path="/ModifierKey" component={ModifierKey} />
        <Route path="/ModifierKeyIndex" component={ModifierKey} />
        <Route path="/PaymentSheet" component={PaymentSheet} />
        <Route path="/SuccesBottomSheetIndex" component={Success} />
        <Route path="/CustomPaymentConfig" component={CustomConfig} />
        <Route path="/ConfigurerPaiement" component={Configurer} />
        <Route path="/Donation" component={Donations} />
        <Route path="/Calendrier" component={Calendrier} />
        <Route path="/reclamations" component={Claims} />
        <Route path="/reclamations/:id">{({ id }) => <Claim key={id} id={decodePart(id)} />}</Route>
        <Route path="/Developpeurs" component={Developers} />
        <Route path="/ProductsList/boutique" component={MyShop} />
        <Route path="/soni" component={Soni} />
        <Route path="/CustomerSupport" component={Support} />
        <Route path="/CustomerSupport/:id">
          {({ id }) => <Ticket key={id} id={decodePart(id)} />}
        </Route>
        <Route path="/IndexFaq" component={IndexFaq} />
        <Route path="/mes-donnees">
          <PersonalData onErased={onLogout} />
        </Route>
        <Route component={Unknown} />
      </Switch>
    </Suspense>
  );
}

/** Old links carry keys in the address: they never count, and do not stay there (decision 52). */
function useWithoutKey(): void {
  const [path, navigate] = useLocation();
  const search = useSearch();
  useEffect(() => {
    if (new URLSearchParams(search).has("key")) {
      navigate(addressOf(path, search), { replace: true });
    }
  }, [path, search, navigate]);
}

/** An address that is none of ours: home, with a word. */
function Unknown() {
  const [, navigate] = useLocation();
  useEffect(() => {
    toast(appCopy.unknownRoute, "bad");
    navigate(HOME, { replace: true });
  }, [navigate]);
  return <Stack gap={5} page />;
}
