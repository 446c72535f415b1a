import type { TransactionStatus } from "./wire.ts";

/** B §4 and decision 73. */
export const TRANSACTION_STATUS_NAMES: Readonly<Record<TransactionStatus, string>> = {
  success: "Complété",
  pending: "En attente",
  failed: "Échec",
  refunded: "Remboursé",
  cancelled: "Annulé",
};

/** A buyer Telegram gave no name for. */
export const NAMELESS_BUYER = "Client";
