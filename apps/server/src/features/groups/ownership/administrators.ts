import { LINKER_RIGHTS, type LinkerRight } from "@sesame/contract/groups";
import { Outage } from "@sesame/kernel";
import type { ChatMember } from "grammy/types";
import type { GroupsDeps } from "../deps.ts";

/** A person who administers a chat, as Telegram names them; anonymous ones too. */
export type Administrator = {
  readonly telegramId: bigint;
  readonly isCreator: boolean;
  readonly rights: Readonly<Record<LinkerRight, boolean>>;
};

/** Null for a plain member, and for who is not in the chat. */
export function administratorOf(member: ChatMember): Administrator | null {
  const telegramId = BigInt(member.user.id);
  switch (member.status) {
    case "creator": {
      const rights = { invite_users: true, restrict_members: true };
      return { telegramId, isCreator: true, rights };
    }
    case "administrator": {
      const rights = {
        // A right that is not named is not given.
        invite_users: member.can_invite_users === true,
        restrict_members: member.can_restrict_members === true,
      };
      return { telegramId, isCreator: false, rights };
    }
    case "member":
    case "restricted":
    case "left":
    case "kicked":
      return null;
  }
}

/** What a person may do about a chat, by the decision 110. */
export type OwnerStanding =
  | { readonly kind: "may-own"; readonly isCreator: boolean }
  | { readonly kind: "lacks-rights"; readonly missing: readonly LinkerRight[] }
  | { readonly kind: "not-admin" };

export function ownerStanding(administrator: Administrator | null | undefined): OwnerStanding {
  if (!administrator) return { kind: "not-admin" };
  const missing = LINKER_RIGHTS.filter((right) => !administrator.rights[right]);
  if (missing.length > 0) return { kind: "lacks-rights", missing };
  return { kind: "may-own", isCreator: administrator.isCreator };
}

export type Administrators = {
  readonly all: readonly Administrator[];
  standingOf(telegramId: bigint): OwnerStanding;
};

/**
 * Asks Telegram who administers a chat now, bots aside. Null when its answer proves nothing: the bot
 * is not there, or may not see them. Throws an Outage when it does not answer.
 */
export async function askAdministrators(
  deps: Pick<GroupsDeps, "telegram">,
  chatId: bigint,
): Promise<Administrators | null> {
  const answer = await deps.telegram
    .gatewayOf("seller")
    .call("getChatAdministrators", { chat_id: Number(chatId) });
  if (!answer.ok) {
    const { kind, said } = answer.refusal;
    if (kind === "chat-gone" || kind === "migrated" || kind === "rights-missing") return null;
    throw new Outage(`telegram: ${said}`, { party: "telegram", retryable: true });
  }
  const all = answer.value.flatMap((member) => {
    const administrator = member.user.is_bot ? null : administratorOf(member);
    return administrator ? [administrator] : [];
  });
  return {
    all,
    standingOf: (id) => ownerStanding(all.find(({ telegramId }) => telegramId === id)),
  };
}
