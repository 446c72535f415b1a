import type {
  BotCommand,
  Chat,
  ChatPermissions,
  MenuButton,
  Message,
  Update,
  User,
} from "grammy/types";
import type { SentWebhook } from "../kit/webhooks.ts";
import type {
  AdminRight,
  AlteredPayment,
  BotRole,
  ChatKind,
  DialogView,
  InviteLinkView,
  MemberStatus,
  PaymentView,
  PersonView,
  EmulatorEvent,
} from "../wire.ts";
import type { Random, Clock } from "@sesame/kernel";
import type { Scheduler } from "../scheduler.ts";
import type { Stars } from "./stars.ts";
import type { UpdateStream } from "./updates.ts";

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

type UpdateType = (typeof UPDATE_TYPES)[number];

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

export type Person = Omit<PersonView, "stars">;

export type Bot = ReturnType<typeof newBot>;

const PROFILES: Record<BotRole, { username: string; name: string }> = {
  seller: { username: "SesameVendeurBot", name: "Sésame Vendeur" },
  buyer: { username: "SesameBot", name: "Sésame" },
};

export const newBot = (id: number, token: string, roles: BotRole[], now: Date) => ({
  id,
  roles,
  token,
  ...PROFILES[roles[0] ?? "seller"],
  description: "",
  shortDescription: "",
  commands: [] as BotCommand[],
  menuButton: { type: "default" } as MenuButton,
  /** People and chats that the bot has met: Telegram answers it about no others. */
  met: new Set<number>(),
  /** Persons it may write to until an instant, because they asked to join (user_chat_id). */
  joinWindows: new Map<number, number>(),
  callbacks: new Map<string, { personId: number; askedAtMs: number }>(),
  allowedUpdates: [...DEFAULT_UPDATE_TYPES],
  // "Starts from a certain positive number".
  nextUpdateId: 100_000_000 + (now.getTime() % 1_000_000),
  queue: [] as QueuedUpdate[],
  webhook: null as Webhook | null,
});

export type QueuedUpdate = {
  update: Update;
  expiresAtMs: number;
};

export type Webhook = { setAtMs: number };

export type ChatRecord = ReturnType<typeof newChat>;

type Shape = { kind: ChatKind; title: string; username: string | null };

export const newChat = (id: number, shape: Shape) => ({
  ...shape,
  id,
  members: new Map<number, Member>(),
  links: [] as InviteLink[],
  /** By who asks. */
  requests: new Map<number, { link: string }>(),
  /** Persons whose request was handled or withdrawn: asking about it again is another error. */
  handledRequests: new Set<number>(),
  messages: [] as Message[],
  nextMessageId: 1,
  /** Set once the group has become a supergroup: it is then read-only. */
  migratedTo: null as number | null,
  /** What members may do by default; absent: as Telegram makes a group. */
  permissions: undefined as ChatPermissions | undefined,
});

export type Member = ReturnType<typeof newMember>;

export const newMember = (userId: number, status: MemberStatus) => ({
  userId,
  status,
  rights: [] as AdminRight[],
  anonymous: false,
  /** Who made the member an administrator: that bot can edit the rights. */
  promotedBy: null as number | null,
  /** End of a ban, 0: for ever. */
  untilDate: 0,
  viaLink: null as string | null,
});

export type InviteLink = InviteLinkView & {
  name: string | null;
  creatorId: number;
  isPrimary: boolean;
  expireDate: number | null;
  memberLimit: number | null;
};

export type Dialog = Omit<DialogView, "bot"> & { botId: number };

/** All Telegram knows. Plain records, maps and sets, so that it can be kept in a file. */
export type TelegramState = ReturnType<typeof emptyTelegram>;

export const emptyTelegram = () => ({
  persons: new Map<number, Person>(),
  bots: [] as Bot[],
  chats: new Map<number, ChatRecord>(),
  /** By `dialogKey`. */
  dialogs: new Map<string, Dialog>(),
  /** Conversations of two persons, by `talkKey`. */
  talks: new Map<string, Message[]>(),
  /** What is asked in Stars, who has how many, and what moved. */
  stars: {
    webhooks: [] as SentWebhook[],
    nextWebhookId: 1,
    /** By slug: what stands in t.me/$slug. */
    invoices: new Map<string, Invoice>(),
    /** By the query's id: payments that wait for their bot's word. */
    attempts: new Map<string, Attempt>(),
    /** By charge. */
    charges: new Map<string, Charge>(),
    /** Of every bot, oldest first. */
    moves: [] as StarMove[],
    /** Stars of each person; one not named here has what a person has at first. */
    wallets: new Map<number, number>(),
  },
  nextPersonId: 7_100_000_001,
  nextGroupId: 4_200_000_001,
  nextChannelId: 2_300_000_001,
  /** Private chats and basic groups count their messages together, each supergroup its own. */
  nextMessageId: 1,
});

export type Invoice = {
  /** What stands in `t.me/$slug`. */
  slug: string;
  title: string;
  description: string;
  amount: number;
  botId: number;
  /** The bot's own reference, never shown to people. */
  payload: string;
  createdAtMs: number;
  /** How the last attempt ended. */
  status: PaymentView["status"];
  /** Of who paid it, the earliest first: its link may be opened by several. */
  chargeIds: string[];
  /** Altered answers about its charges. */
  reported?: AlteredPayment;
};

export type Attempt = { queryId: string; slug: string; personId: number; dueAtMs: number };

export type Charge = {
  /** `telegram_payment_charge_id`. */
  id: string;
  providerChargeId: string;
  slug: string;
  botId: number;
  personId: number;
  amount: number;
  refunded: boolean;
};

/** A transaction: a payment comes in, a refund goes out under the name of its payment. */
type StarMove = { chargeId: string; kind: "payment" | "refund"; atMs: number };

/** Enough for most of what is sold here. */
export const FIRST_STARS = 5_000;

/** Telegram's state, and what each part of it needs. */
export type Telegram = {
  readonly state: TelegramState;
  readonly clock: Clock;
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly updates: UpdateStream;
  readonly stars: Stars;
  readonly settings: TelegramSettings;
  /** Something a page shows has changed. */
  changed(): void;
  /** An event without state: a toast. */
  show(event: EmulatorEvent): void;
} & ReturnType<typeof lookups>;

/** Who and what an id names; a person of the phones asks for nothing that is not there. */
export function lookups(state: TelegramState, clock: Clock) {
  const known = <T>(found: T | undefined, what: string): T => {
    if (found === undefined) throw new NotPossible(`no ${what}`);
    return found;
  };
  const botById = (id: number) => state.bots.find((bot) => bot.id === id);
  const personById = (id: number) => known(state.persons.get(id), `person ${id}`);
  return {
    unixNow: () => Math.floor(clock.now().getTime() / 1000),
    botById,
    personById,
    botOfRole: (role: BotRole) =>
      known(
        state.bots.find(({ roles }) => roles.includes(role)),
        `${role} bot`,
      ),
    chatById: (id: number) => known(state.chats.get(id), `chat ${id}`),
    userById(id: number): User {
      const bot = botById(id);
      return bot === undefined ? personAsUser(personById(id)) : botAsUser(bot);
    },
    /** The private chat of a person with a bot; made when first needed. */
    dialogOf(personId: number, { id: botId }: Bot): Dialog {
      const key = dialogKey(personId, botId);
      const unmet = { started: false, blocked: false, writeAccess: false, messages: [] };
      const dialog = state.dialogs.get(key) ?? { personId, botId, ...unmet };
      state.dialogs.set(key, dialog);
      return dialog;
    },
  };
}

type TelegramSettings = {
  readonly appUrl: string;
  readonly publicUrl: string;
  /** Short name of the direct-link mini app, if any. */
  readonly buyerAppName: string | null;
  /**
   * Lets webhooks and buttons point to http and to this machine, which Telegram refuses: a demo has
   * no public https address.
   */
  readonly allowLocalAddresses: boolean;
};

const namesOf = ({ id, firstName, lastName, username }: Person) => ({
  id,
  first_name: firstName,
  ...(lastName !== null && { last_name: lastName }),
  ...(username !== null && { username }),
});

export function personAsUser(person: Person): User {
  return { ...namesOf(person), is_bot: false, language_code: person.languageCode };
}

export function botAsUser(bot: Bot): User {
  return { id: bot.id, is_bot: true, first_name: bot.name, username: bot.username };
}

export function userName(user: User): string {
  return user.last_name === undefined ? user.first_name : `${user.first_name} ${user.last_name}`;
}

export function privateChat(person: Person): Chat.PrivateChat {
  return { ...namesOf(person), type: "private" };
}

export function asChat(chat: ChatRecord): Chat.GroupChat | Chat.SupergroupChat | Chat.ChannelChat {
  const { id, title, username } = chat;
  if (chat.kind === "group") return { id, type: "group", title };
  return { id, type: chat.kind, title, ...(username !== null && { username }) };
}

export function dialogKey(personId: number, botId: number): string {
  return `${personId}:${botId}`;
}

export function talkKey(first: number, second: number): string {
  return first < second ? `${first}:${second}` : `${second}:${first}`;
}

/** A refusal of the Bot API: goes out as `{ ok: false, error_code, description, parameters? }`. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly code: number;
  readonly parameters: { migrate_to_chat_id?: number; retry_after?: number } | undefined;

  constructor(
    code: number,
    description: string,
    parameters?: { migrate_to_chat_id?: number; retry_after?: number },
  ) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}

export function badRequest(reason: string): ApiError {
  return new ApiError(400, `Bad Request: ${reason}`);
}

export function forbidden(reason: string): ApiError {
  return new ApiError(403, `Forbidden: ${reason}`);
}

/** A person tried what Telegram's own apps do not allow: 422 in the control API. */
export class NotPossible extends Error {
  override name = "NotPossible";
}
