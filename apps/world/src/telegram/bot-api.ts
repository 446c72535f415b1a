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

export type UpdateType = Exclude<keyof Update, "update_id">;

/** One kind of update with its content, before it gets its number. */
export type NewUpdate = {
  [T in UpdateType]: { type: T; content: NonNullable<Update[T]> };
}[UpdateType];

/** Everything but these comes without asking for it by name. */
const ONLY_ON_REQUEST: readonly string[] = [
  "chat_member",
  "message_reaction",
  "message_reaction_count",
];

const UPDATE_TYPES: Record<UpdateType, true> = {
  message: true,
  edited_message: true,
  channel_post: true,
  edited_channel_post: true,
  business_connection: true,
  business_message: true,
  edited_business_message: true,
  deleted_business_messages: true,
  guest_message: true,
  stopped_message_generation: true,
  message_reaction: true,
  message_reaction_count: true,
  inline_query: true,
  chosen_inline_result: true,
  callback_query: true,
  shipping_query: true,
  pre_checkout_query: true,
  purchased_paid_media: true,
  poll: true,
  poll_answer: true,
  my_chat_member: true,
  chat_member: true,
  chat_join_request: true,
  chat_boost: true,
  removed_chat_boost: true,
  managed_bot: true,
  subscription: true,
};

export const DEFAULT_UPDATE_TYPES: readonly UpdateType[] = (
  Object.keys(UPDATE_TYPES) as UpdateType[]
).filter((type) => !ONLY_ON_REQUEST.includes(type));

export function isUpdateType(name: unknown): name is UpdateType {
  return typeof name === "string" && name in UPDATE_TYPES;
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
  PhotoSize,
  User,
} from "grammy/types";
