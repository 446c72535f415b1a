export { forgetNoticesJob } from "./erase-person.ts";
export { registerIdentityHttp, registerPersonalDataHttp } from "./http.ts";
export { authenticate, sessionOf } from "./sessions.ts";
