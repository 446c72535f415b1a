export { forgetNoticesJob } from "./erase-person.ts";
export { registerIdentityHttp } from "./http.ts";
export { authenticate, identityLoops, sessionOf } from "./sessions.ts";
