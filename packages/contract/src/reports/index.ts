export {
  type SubscriptionsAnswer,
  subscriptionsAnswer,
  subscriptionsQuery,
  TRANSACTION_STATUSES,
  type TransactionOnWire,
  type TransactionStatus,
  type TransactionsAnswer,
  transactionOnWire,
  transactionsAnswer,
  transactionsQuery,
  type VendorSubscriptionOnWire,
  vendorSubscriptionOnWire,
} from "./wire.ts";
export { NAMELESS_BUYER, TRANSACTION_STATUS_NAMES } from "./words.fr.ts";
