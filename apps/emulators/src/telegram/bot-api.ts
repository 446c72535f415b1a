import type {
  ChatMemberAdministrator as AdministratorOfTypes,
  ChatMemberUpdated as MemberUpdatedOfTypes,
  ChatMember as MemberOfTypes,
  Update as UpdateOfTypes,
} from "grammy/types";

/**
 * What the bots receive, as of Bot API 10.1. grammY's types follow 10.3, where administrators
 * gained a right that 10.1 does not know.
 */
export type ChatMemberAdministrator = Omit<AdministratorOfTypes, "can_send_welcome_messages">;

export type ChatMember = Exclude<MemberOfTypes, AdministratorOfTypes> | ChatMemberAdministrator;

export type ChatMemberUpdated = Omit<
  MemberUpdatedOfTypes,
  "old_chat_member" | "new_chat_member"
> & { old_chat_member: ChatMember; new_chat_member: ChatMember };

export type Update = Omit<UpdateOfTypes, "my_chat_member" | "chat_member"> & {
  my_chat_member?: ChatMemberUpdated;
  chat_member?: ChatMemberUpdated;
};

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

export type {
  Chat,
  ChatFullInfo,
  ChatInviteLink,
  ChatPermissions,
  InlineKeyboardButton,
  InlineKeyboardMarkup,
  Message,
  MessageEntity,
  User,
} from "grammy/types";
