export { subscriptionsAtStart, transactionsAtStart } from "./history.ts";
export { registerReportsHttp } from "./http.ts";
export { reportsLoops } from "./statistics.ts";
export { statisticsOf } from "./statistics.ts";
