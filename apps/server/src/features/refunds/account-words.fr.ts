import { nameProvider } from "@sesame/contract/checkout";
import { isPayoutMethod, sayMethod } from "@sesame/contract/withdrawals";

const NAMES: Readonly<Record<string, string>> = {
  suspense: "Mis de côté",
  "platform:fees": "Commission de Sésame",
  "platform:subscriptions": "Abonnements Premium",
  "platform:advances": "Avances aux vendeurs",
  "platform:losses": "Pertes",
  "platform:mismatches": "Écarts des paiements honorés",
  "platform:provider-costs": "Frais des prestataires",
  "platform:chargebacks": "Frais des paiements repris",
  "refunds:in-transit": "Remboursements en cours",
};

/** Of an account that is no seller's. */
export function namePlatformAccount(key: string): string {
  const [kind, name = ""] = key.split(":");
  if (kind === "provider") return nameProvider(name);
  if (kind === "float" && isPayoutMethod(name)) return sayMethod(name);
  return NAMES[key] ?? key;
}
