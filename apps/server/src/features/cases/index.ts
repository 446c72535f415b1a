export { lockOpenIn, noteGivenBackIn, noteRefundedIn, eraseWords } from "./claims.ts";
export { claimCareOf, claimsOf, claimsWaitingPart, registerClaimsHttp } from "./claims-http.ts";
export { claimsLoops } from "./claims-sweep.ts";
export { registerTicketsHttp } from "./tickets-http.ts";
export { casesJobs, eraseTickets } from "./tickets.ts";
