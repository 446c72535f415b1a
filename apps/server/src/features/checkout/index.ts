export { createAskingLoop } from "./ask-providers.ts";
export { starUpdates } from "./bot.ts";
export { askAgain, CHECKOUT_DATES, CHECKS_CHANNEL, countUnsettledOrders } from "./checks.ts";
export { createTrial } from "./create-order.ts";
export { decideMismatchIn, reportedReceived } from "./decide-mismatch.ts";
export { registerCheckoutHttp } from "./http.ts";
export { offersFor, openProviders } from "./check-sale.ts";
export { checkoutJobs } from "./jobs.ts";
export { checkoutPruning, forgetPaymentWebhooks } from "./webhooks.ts";
export {
  IS_GIVEN_BACK,
  mayFollowOrder,
  PAYMENT_NAME,
  orderBySecret,
  type PaymentDecision,
  type WidgetPayment,
  widgetBySecret,
  erasePayer,
  refundOrder,
} from "./orders.ts";
export { resolveRefundsThere } from "./settle.ts";
