export { eraseReports } from "./reports.ts";
export { closeSellerIn } from "./sellers-close.ts";
export { registerBackOfficeHttp, registerSettingsHttp } from "./http.ts";
