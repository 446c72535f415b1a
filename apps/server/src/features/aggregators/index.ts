export { registerAggregatorsHttp } from "./http.ts";
export { AGGREGATORS_CHANGED, noteRefused, providerFor, eraseKeys } from "./keys.ts";
export { methodsAtStart, type Offer, offersOf } from "./offers.ts";
