export { lockOpenIn, noteGivenBackIn, noteRefundedIn, eraseWords } from "./claims.ts";
export { claimCareOf, claimsOf, claimsWaitingPart, registerClaimsHttp } from "./claims-http.ts";
export { claimsLoops } from "./sweep.ts";
export { registerSupportHttp } from "./http.ts";
export { supportJobs } from "./tell.ts";
export { eraseTickets } from "./tickets.ts";
