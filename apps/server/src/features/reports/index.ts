export { transactionsAtStart } from "./history.ts";
export { registerReportsHttp } from "./http.ts";
export { statisticsOf } from "./read-statistics.ts";
export { reportsLoops } from "./rollups.store.ts";
export { subscriptionsAtStart } from "./subscriptions.ts";
