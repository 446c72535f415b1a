export { lockOpenIn, noteGivenBackIn, noteRefundedIn, eraseWords } from "./complaints.ts";
export {
  complaintCareOf,
  complaintsOf,
  complaintsWaitingPart,
  registerComplaintsHttp,
} from "./complaints-http.ts";
export { complaintsLoops } from "./complaints-sweep.ts";
export { registerTicketsHttp } from "./tickets-http.ts";
export { casesJobs, eraseTickets } from "./tickets.ts";
