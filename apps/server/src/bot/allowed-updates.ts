/**
 * Named one by one: Telegram leaves `chat_member` out unless it is asked for (WIRE §3). Service
 * messages (migration, write access) come as `message`.
 */
export const ALLOWED_UPDATES = [
  "message",
  "callback_query",
  "my_chat_member",
  "chat_member",
  "chat_join_request",
  "pre_checkout_query",
] as const;
