export { registerDeskHttp } from "./http.ts";
export { closeSellerIn } from "./sellers-close.ts";
export { deskJobs, replyToStaff, staffButtons } from "./tell-agents.ts";
export { eraseReports } from "./reports.ts";
