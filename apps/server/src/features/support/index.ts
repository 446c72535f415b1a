export { registerSupportHttp } from "./http.ts";
export { supportJobs } from "./tell.ts";
export { eraseTickets } from "./tickets.ts";
