export { WEBHOOKS_CHANNEL } from "./deliveries.store.ts";
export { developersLoops, TURN_MS } from "./dispatcher.ts";
export { registerDevelopersHttp } from "./http.ts";
export { admitKey } from "./keys.ts";
export { developersJobs } from "./send-out.ts";
