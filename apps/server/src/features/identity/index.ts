export { forgetNoticesJob } from "./erase-person.ts";
export { registerIdentityHttp } from "./http.ts";
export { authenticate, sessionOf } from "./sessions.ts";
