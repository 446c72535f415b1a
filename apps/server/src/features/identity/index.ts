export { forgetNoticesJob } from "./erase-person.ts";
export { registerIdentityHttp, registerPersonalDataHttp } from "./http.ts";
export { authenticate, identityLoops, sessionOf } from "./sessions.ts";
