import { Suspense, useEffect } from "react";
import { Route, Switch, useLocation, useSearch } from "wouter";
import { later } from "../lib/later.ts";
import { HOME } from "../lib/text.ts";
import { Waiting } from "../kit/skeleton.tsx";
import { appCopy } from "./messages.fr.ts";
import { addressOf } from "./navigation.ts";
import { screens, Unknown } from "./route-lists.tsx";

// Payments, own accounts, complaints and help: this list too is loaded only when one of them is opened.
const load = {
  selector: () => import("../features/plans/payment-selector.tsx"),
  activation: () => import("../features/payment-accounts/activation.tsx"),
  addMethod: () => import("../features/payment-accounts/add-method.tsx"),
  modifyKey: () => import("../features/payment-accounts/modify-key.tsx"),
  sheets: () => import("../features/payment-accounts/sheets.tsx"),
  support: () => import("../features/cases/customer-support.tsx"),
};

const PaymentSelector = later(load.selector, "PaymentSelector");
const PaymentForm = later(load.selector, "PaymentForm");
const PaymentStatus = later(() => import("../features/plans/payment-status.tsx"), "PaymentStatus");
const ModifierKey = later(load.modifyKey, "ModifierKey");
const PersonalData = later(() => import("../features/identity/personal-data.tsx"), "PersonalData");

const SCREENS = [
  ["/PaymentSelector", () => <PaymentSelector />],
  ["/IndexPaiement", PaymentForm],
  ["/IndexPaiementAbonnement", PaymentForm],
  ["/PaymentStatus", PaymentStatus],
  ["/MonerooPaymentStatus", PaymentStatus],
  ["/PaymentStatusFedapay", PaymentStatus],
  ["/PaymentStatusFedapayFalse", PaymentStatus],
  ["/ActivationMethode", later(load.activation, "ActivationMethode")],
  ["/AjouterMethode", later(load.addMethod, "AjouterMethode")],
  ["/ModifierKey", ModifierKey],
  ["/ModifierKeyIndex", ModifierKey],
  ["/PaymentSheet", later(load.sheets, "PaymentSheet")],
  ["/SuccesBottomSheetIndex", later(load.sheets, "SuccesBottomSheetIndex")],
  ["/CustomPaymentConfig", later(load.sheets, "CustomPaymentConfig")],
  ["/ConfigurerPaiement", later(load.sheets, "ConfigurerPaiement")],
  ["/Donation", later(() => import("../features/catalogue/donations.tsx"), "Donations")],
  ["/Calendrier", later(() => import("../features/reports/calendar.tsx"), "Calendrier")],
  ["/reclamations", later(() => import("../features/cases/complaints.tsx"), "Complaints")],
  ["/Developpeurs", later(() => import("../features/developers/developers.tsx"), "Developers")],
  ["/ProductsList/boutique", later(() => import("../features/catalogue/my-shop.tsx"), "MyShop")],
  ["/soni", later(() => import("../features/catalogue/soni.tsx"), "Soni")],
  ["/CustomerSupport", later(load.support, "CustomerSupport")],
  ["/IndexFaq", later(() => import("../features/cases/index-faq.tsx"), "IndexFaq")],
  ["/reclamations/:id", later(() => import("../features/cases/complaint.tsx"), "Complaint")],
  ["/CustomerSupport/:id", later(() => import("../features/cases/ticket.tsx"), "Ticket")],
] as const;

export function PaymentRoutes({ onLogout }: { onLogout(): Promise<void> }) {
  useWithoutKey();
  return (
    <Suspense fallback={<Waiting />}>
      <Switch>
        {screens(SCREENS)}
        <Route path="/mes-donnees">
          <PersonalData onErased={onLogout} />
        </Route>
        <Route>
          <Unknown home={HOME} words={appCopy.unknownRoute} />
        </Route>
      </Switch>
    </Suspense>
  );
}

/** Old links carry keys in the address: the keys never count, and are removed (decision 52). */
function useWithoutKey(): void {
  const [path, navigate] = useLocation();
  const search = useSearch();
  useEffect(() => {
    if (new URLSearchParams(search).has("key")) {
      navigate(addressOf(path, search), { replace: true });
    }
  }, [path, search, navigate]);
}
