export { subscriptionsAtStart, transactionsAtStart } from "./history.ts";
export { registerReportsHttp } from "./http.ts";
export { reportsLoops, statisticsOf } from "./statistics.ts";
