export { lockOpenIn, noteGivenBackIn, noteRefundedIn, eraseWords } from "./claims.ts";
export { claimCareOf, claimsOf, claimsWaitingPart, registerClaimsHttp } from "./http.ts";
export { claimsLoops } from "./sweep.ts";
