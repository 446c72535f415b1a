export { providerFor } from "./accounts.ts";
export { noteRefused } from "./change-methods.ts";
export { registerAggregatorsHttp } from "./http.ts";
export { methodsAtStart, type Offer, offersOf } from "./offers.ts";
export { AGGREGATORS_CHANGED } from "./tell-change.ts";
