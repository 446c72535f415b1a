import type { Update } from "grammy/types";

export type { Update } from "grammy/types";

/** What happens here: the other kinds of updates may be asked for, and never come. */
const UPDATE_TYPES = [
  "message",
  "channel_post",
  "callback_query",
  "pre_checkout_query",
  "my_chat_member",
  "chat_member",
  "chat_join_request",
] as const satisfies readonly (keyof Update)[];

export type UpdateType = (typeof UPDATE_TYPES)[number];

/** One kind of update with its content, before it gets its number. */
export type NewUpdate = {
  [T in UpdateType]: { type: T; content: NonNullable<Update[T]> };
}[UpdateType];

/** All that comes without asking for it by name. */
export const DEFAULT_UPDATE_TYPES: readonly UpdateType[] = UPDATE_TYPES.filter(
  (type) => type !== "chat_member",
);

export function isUpdateType(name: unknown): name is UpdateType {
  return UPDATE_TYPES.some((type) => type === name);
}
