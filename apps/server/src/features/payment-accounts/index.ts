export { registerPaymentAccountsHttp } from "./http.ts";
export { AGGREGATORS_CHANGED, eraseKeys, noteRefused, providerFor } from "./keys.ts";
export { type Offer, methodsAtStart, offersOf } from "./offers.ts";
