export { developersJobs, WEBHOOKS_CHANNEL } from "./deliveries.ts";
export { DEVELOPERS_DATES, developersLoops } from "./dispatcher.ts";
export { registerDevelopersHttp } from "./http.ts";
export { admitKey } from "./keys.ts";
export { eraseDeveloper, eraseFromWebhooks } from "./endpoints.ts";
