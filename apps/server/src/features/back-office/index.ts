export { eraseReports } from "./reports.ts";
export { closeSellerIn } from "./sellers-close.ts";
export { registerSettingsHttp } from "./settings-http.ts";
export { registerBackOfficeHttp } from "./http.ts";
