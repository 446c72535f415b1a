export { createConversation } from "./bot.ts";
export { BUYER_FACE, COMMON_FACE, MENU_BUYER, MENU_SELLER, SELLER_FACE } from "./messages.fr.ts";
