export { registerAggregatorsHttp } from "./http.ts";
export { AGGREGATORS_CHANGED, noteRefused, providerFor } from "./keys.ts";
export { methodsAtStart, type Offer, offersOf } from "./offers.ts";
