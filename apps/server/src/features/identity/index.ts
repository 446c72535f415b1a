export { registerIdentityHttp } from "./http.ts";
export { authenticate, identityLoops, sessionOf } from "./sessions.ts";
export { eraseIdentity, eraseProfile } from "./users.ts";
