import type { NeededRight } from "@sesame/contract/groups";
import type { Chat, ChatMember } from "grammy/types";

/** What the bot is and may do in a chat. */
export type Standing = {
  readonly present: boolean;
  readonly administrator: boolean;
  readonly rights: Readonly<Record<NeededRight, boolean>>;
};

const NO_RIGHTS = { manage_chat: false, restrict_members: false, invite_users: false };

export function standingOf(member: ChatMember): Standing {
  switch (member.status) {
    case "creator":
    case "administrator": {
      const all = member.status === "creator";
      return {
        present: true,
        administrator: true,
        rights: {
          // Whoever administers a chat may do that much.
          manage_chat: all || member.can_manage_chat !== false,
          // A right that is not named is not given.
          restrict_members: all || member.can_restrict_members === true,
          invite_users: all || member.can_invite_users === true,
        },
      };
    }
    case "member":
      return { present: true, administrator: false, rights: NO_RIGHTS };
    case "restricted":
      return { present: member.is_member === true, administrator: false, rights: NO_RIGHTS };
    case "left":
    case "kicked":
      return { present: false, administrator: false, rights: NO_RIGHTS };
  }
}

/** A chat as an update or getChat shows it, with the bot's standing in it. */
export type ChatFacts = {
  readonly chatId: bigint;
  readonly kind: "group" | "supergroup" | "channel";
  readonly title: string;
  readonly publicUsername: string | null;
  readonly standing: Standing;
};

export type GroupChat = Chat.GroupChat | Chat.SupergroupChat | Chat.ChannelChat;

export function factsOf(chat: GroupChat, standing: Standing): ChatFacts {
  return {
    chatId: BigInt(chat.id),
    kind: chat.type,
    title: chat.title ?? "",
    publicUsername: "username" in chat ? (chat.username ?? null) : null,
    standing,
  };
}
