import { Suspense, useEffect } from "react";
import { Route, Switch, useLocation, useSearch } from "wouter";
import { later } from "../lib/later.ts";
import { HOME } from "../lib/text.ts";
import { Waiting } from "../kit/skeleton.tsx";
import { appCopy } from "./messages.fr.ts";
import { addressOf } from "./navigation.ts";
import { screens, screensOfOneThing, Unknown } from "./route-lists.tsx";

// Payments, own accounts, complaints and help: this list too is loaded only when one of them is opened.
const load = {
  selector: () => import("../features/plans/payment-selector.tsx"),
  status: () => import("../features/plans/payment-status.tsx"),
  activation: () => import("../features/payment-accounts/activation.tsx"),
  addMethod: () => import("../features/payment-accounts/add-method.tsx"),
  modifyKey: () => import("../features/payment-accounts/modify-key.tsx"),
  sheets: () => import("../features/payment-accounts/sheets.tsx"),
  donations: () => import("../features/catalogue/donations.tsx"),
  complaints: () => import("../features/cases/complaints.tsx"),
  developers: () => import("../features/developers/developers.tsx"),
  complaint: () => import("../features/cases/complaint.tsx"),
  calendar: () => import("../features/reports/calendar.tsx"),
  shop: () => import("../features/catalogue/my-shop.tsx"),
  soni: () => import("../features/catalogue/soni.tsx"),
  support: () => import("../features/cases/customer-support.tsx"),
  ticket: () => import("../features/cases/ticket.tsx"),
  faq: () => import("../features/cases/index-faq.tsx"),
  personalData: () => import("../features/identity/personal-data.tsx"),
};

const PaymentForm = later(load.selector, "PaymentForm");
const PaymentStatus = later(load.status, "PaymentStatus");
const ModifierKey = later(load.modifyKey, "ModifierKey");
const PersonalData = later(load.personalData, "PersonalData");

const SCREENS = [
  ["/PaymentSelector", later(load.selector, "PaymentSelector")],
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
  ["/Donation", later(load.donations, "Donations")],
  ["/Calendrier", later(load.calendar, "Calendrier")],
  ["/reclamations", later(load.complaints, "Complaints")],
  ["/Developpeurs", later(load.developers, "Developers")],
  ["/ProductsList/boutique", later(load.shop, "MyShop")],
  ["/soni", later(load.soni, "Soni")],
  ["/CustomerSupport", later(load.support, "CustomerSupport")],
  ["/IndexFaq", later(load.faq, "IndexFaq")],
] as const;

const OF_ONE_THING = [
  ["/reclamations/:id", later(load.complaint, "Complaint")],
  ["/CustomerSupport/:id", later(load.ticket, "Ticket")],
] as const;

export function PaymentRoutes({ onLogout }: { onLogout(): Promise<void> }) {
  useWithoutKey();
  return (
    <Suspense fallback={<Waiting />}>
      <Switch>
        {screens(SCREENS)}
        {screensOfOneThing(OF_ONE_THING)}
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
