import { LINKER_RIGHTS, type LinkerRight, type NeededRight } from "@sesame/contract/groups";
import { Outage } from "@sesame/kernel";
import type { Chat, ChatMember } from "grammy/types";
import type { App } from "../../app.ts";

/** What somebody is and may do in a chat: the bot, or a person. */
type Standing = {
  readonly present: boolean;
  readonly rights: Readonly<Record<NeededRight, boolean>>;
};

const NO_RIGHTS = { manage_chat: false, restrict_members: false, invite_users: false };

export const ABSENT: Standing = { present: false, rights: NO_RIGHTS };

export function standingOf(member: ChatMember): Standing {
  switch (member.status) {
    case "creator":
    case "administrator": {
      const all = member.status === "creator";
      return {
        present: true,
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
      return { present: true, rights: NO_RIGHTS };
    case "restricted":
      return { present: member.is_member === true, rights: NO_RIGHTS };
    case "left":
    case "kicked":
      return ABSENT;
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

export function factsOf(
  chat: Chat.GroupChat | Chat.SupergroupChat | Chat.ChannelChat,
  standing: Standing,
): ChatFacts {
  return {
    chatId: BigInt(chat.id),
    kind: chat.type,
    title: chat.title ?? "",
    publicUsername: "username" in chat ? (chat.username ?? null) : null,
    standing,
  };
}

/** A person who administers a chat, as Telegram names them; anonymous ones too. */
export type Administrator = {
  readonly telegramId: bigint;
  readonly isCreator: boolean;
  /** Of the rights that linking needs. */
  readonly missing: readonly LinkerRight[];
};

/** Null for a plain member, and for who is not in the chat. */
export function administratorOf(member: ChatMember): Administrator | null {
  const isCreator = member.status === "creator";
  if (!isCreator && member.status !== "administrator") return null;
  const { rights } = standingOf(member);
  const missing = LINKER_RIGHTS.filter((right) => !rights[right]);
  return { telegramId: BigInt(member.user.id), isCreator, missing };
}

/** Whether a chat can be given to a person, and stay theirs (decision 110). */
export const mayOwn = (administrator: Administrator | null | undefined): boolean =>
  administrator?.missing.length === 0;

type Administrators = {
  readonly all: readonly Administrator[];
  /** False where Telegram answered about some people only. */
  readonly complete: boolean;
  find(telegramId: bigint): Administrator | undefined;
};

/**
 * Asks Telegram who administers a chat now, bots aside; where it refuses the list, about each of
 * these people alone, which proves as much about them. Null when its answer proves nothing: the bot
 * is not there, or may not see them. Throws an Outage when it does not answer.
 */
export async function askAdministrators(
  app: App,
  chatId: bigint,
  people: readonly bigint[],
): Promise<Administrators | null> {
  const telegram = app.telegram.gatewayOf("seller");
  const chat_id = Number(chatId);
  const answer = await telegram.call("getChatAdministrators", { chat_id });
  if (answer.ok)
    return among(
      answer.value.filter(({ user }) => !user.is_bot),
      true,
    );
  const { kind, said } = answer.refusal;
  if (kind === "chat-gone" || kind === "migrated" || kind === "rights-missing") return null;
  const members: ChatMember[] = [];
  for (const id of people) {
    const member = await telegram.call("getChatMember", { chat_id, user_id: Number(id) });
    if (!member.ok) throw new Outage(`telegram: ${said}`, { party: "telegram", retryable: true });
    members.push(member.value);
  }
  return among(members, false);
}

function among(members: readonly ChatMember[], complete: boolean): Administrators {
  const all = members.map(administratorOf).filter((one) => one !== null);
  return { all, complete, find: (id) => all.find(({ telegramId }) => telegramId === id) };
}
