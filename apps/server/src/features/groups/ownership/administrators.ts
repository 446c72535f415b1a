import { LINKER_RIGHTS, type LinkerRight } from "@sesame/contract/groups";
import { Outage } from "@sesame/kernel";
import type { ChatMember } from "grammy/types";
import type { App } from "../../../app.ts";

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
  /** False where Telegram answered about some people only. */
  readonly complete: boolean;
  standingOf(telegramId: bigint): OwnerStanding;
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
  const answer = await telegram.call("getChatAdministrators", { chat_id: Number(chatId) });
  if (answer.ok) {
    const all = answer.value.filter(({ user }) => !user.is_bot).map(administratorOf);
    return administratorsOf(all, true);
  }
  const { kind, said } = answer.refusal;
  if (kind === "chat-gone" || kind === "migrated" || kind === "rights-missing") return null;
  const found: (Administrator | null)[] = [];
  for (const id of people) {
    const asked = { chat_id: Number(chatId), user_id: Number(id) };
    const member = await telegram.call("getChatMember", asked);
    if (!member.ok) throw new Outage(`telegram: ${said}`, { party: "telegram", retryable: true });
    found.push(administratorOf(member.value));
  }
  return administratorsOf(found, false);
}

function administratorsOf(
  found: readonly (Administrator | null)[],
  complete: boolean,
): Administrators {
  const all = found.filter((one) => one !== null);
  return {
    all,
    complete,
    standingOf: (id) => ownerStanding(all.find(({ telegramId }) => telegramId === id)),
  };
}
