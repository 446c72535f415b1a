export { forgetNoticesJob } from "./erase-person.ts";
<<<<<<< ours
export { registerIdentityHttp } from "./http.ts";
export { authenticate, sessionOf } from "./sessions.ts";
||||||| base
export { registerIdentityHttp } from "./http.ts";
export { authenticate, identityLoops, sessionOf } from "./sessions.ts";
=======
export { registerIdentityHttp, registerPersonalDataHttp } from "./http.ts";
export { authenticate, identityLoops, sessionOf } from "./sessions.ts";
>>>>>>> theirs
