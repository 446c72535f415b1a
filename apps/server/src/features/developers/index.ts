export { admitKey } from "./admit-key.ts";
export { WEBHOOKS_CHANNEL } from "./deliveries.store.ts";
export { developersLoops, TURN_MS } from "./dispatcher.ts";
export { registerDevelopersHttp } from "./http.ts";
export { developersJobs } from "./send-out.ts";
