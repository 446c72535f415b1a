export { BUYER_FACE, COMMON_FACE, MENU_BUYER, MENU_SELLER, SELLER_FACE } from "./messages.fr.ts";
export { createConversation } from "./bot.ts";
export { forgetPersonWebhooksJob } from "./erase-person.ts";
export { registerIdentityHttp, registerPersonalDataHttp } from "./http.ts";
export { authenticate, sessionOf } from "./sessions.ts";
