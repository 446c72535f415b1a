export { claimCareOf, claimsOf } from "./claim-on-wire.ts";
export { lockOpenIn } from "./claim.store.ts";
export { claimsWaitingPart } from "./claim.view.ts";
export { noteGivenBackIn, noteRefundedIn } from "./decide-claim.ts";
export { registerClaimsHttp } from "./http.ts";
export { claimsLoops } from "./sweep.ts";
