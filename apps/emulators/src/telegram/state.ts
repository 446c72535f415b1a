import type { BotCommand, MenuButton } from "grammy/types";
import type { WebhookBook } from "../kit/webhooks.ts";
import type { ChatPermissions, Message, Update, UpdateType } from "./bot-api.ts";
import type {
  AlteredPayment,
  BotRole,
  ChatView,
  DialogView,
  InviteLinkView,
  InvoiceView,
  MemberView,
  PaymentView,
  PersonView,
} from "../wire.ts";

/** All Telegram knows. Plain records, maps and sets, so that it can be kept in a file. */
export type TelegramState = {
  persons: Map<number, Person>;
  bots: Bot[];
  chats: Map<number, ChatRecord>;
  /** By `dialogKey`. */
  dialogs: Map<string, Dialog>;
  /** Conversations of two persons, by `talkKey`. */
  talks: Map<string, Message[]>;
  stars: StarState;
  nextPersonId: number;
  nextGroupId: number;
  nextChannelId: number;
  /** Private chats and basic groups count their messages together, each supergroup its own. */
  nextMessageId: number;
};

export type Person = Omit<PersonView, "stars">;

export type Bot = {
  id: number;
  roles: BotRole[];
  token: string;
  username: string;
  name: string;
  description: string;
  shortDescription: string;
  commands: BotCommand[];
  menuButton: MenuButton;
  /** People and chats that the bot has met: Telegram answers it about no others. */
  met: Set<number>;
  /** Persons it may write to until an instant, because they asked to join (user_chat_id). */
  joinWindows: Map<number, number>;
  callbacks: Map<string, { personId: number; askedAtMs: number }>;
  allowedUpdates: UpdateType[];
  nextUpdateId: number;
  queue: QueuedUpdate[];
  webhook: Webhook | null;
};

export type QueuedUpdate = {
  update: Update;
  expiresAtMs: number;
};

export type Webhook = {
  url: string;
  secretToken: string | null;
  setAtMs: number;
  lastErrorAtMs: number | null;
  lastErrorMessage: string | null;
};

export type ChatRecord = Pick<ChatView, "id" | "kind" | "title" | "username" | "migratedTo"> & {
  members: Map<number, Member>;
  links: InviteLink[];
  requests: Map<number, JoinRequest>;
  /** Persons whose request was handled or withdrawn: asking about it again is another error. */
  handledRequests: Set<number>;
  messages: Message[];
  nextMessageId: number;
  /** What members may do by default; absent: as Telegram makes a group. */
  permissions?: ChatPermissions;
};

export type Member = Pick<MemberView, "userId" | "status" | "rights"> & {
  anonymous: boolean;
  /** Who made him administrator: that bot can edit him. */
  promotedBy: number | null;
  /** End of a ban, 0: for ever. */
  untilDate: number;
  viaLink: string | null;
};

export type InviteLink = InviteLinkView & {
  name: string | null;
  creatorId: number;
  isPrimary: boolean;
  expireDate: number | null;
  memberLimit: number | null;
};

type JoinRequest = { userId: number; link: string; date: number };

export type Dialog = Omit<DialogView, "bot" | "messages"> & { botId: number; messages: Message[] };

export function emptyTelegram(): TelegramState {
  return {
    persons: new Map(),
    bots: [],
    chats: new Map(),
    dialogs: new Map(),
    talks: new Map(),
    stars: emptyStars(),
    nextPersonId: 7_100_000_001,
    nextGroupId: 4_200_000_001,
    nextChannelId: 2_300_000_001,
    nextMessageId: 1,
  };
}

/** All Telegram knows of Stars: what is asked, who has how many, and what moved. */
type StarState = WebhookBook & {
  /** By slug: what stands in t.me/$slug. */
  invoices: Map<string, Invoice>;
  /** By the query's id: payments that wait for their bot's word. */
  attempts: Map<string, Attempt>;
  /** By charge. */
  charges: Map<string, Charge>;
  /** Of every bot, oldest first. */
  moves: StarMove[];
  /** Stars of each person; one not named here has what a person has at first. */
  wallets: Map<number, number>;
};

export type Invoice = Pick<InvoiceView, "slug" | "title" | "description" | "amount"> & {
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
  paidAtMs: number;
  refunded: boolean;
};

/** A transaction: a payment comes in, a refund goes out under the name of its payment. */
type StarMove = { chargeId: string; kind: "payment" | "refund"; atMs: number };

/** Enough for most of what is sold here. */
export const FIRST_STARS = 5_000;

function emptyStars(): StarState {
  return {
    invoices: new Map(),
    attempts: new Map(),
    charges: new Map(),
    moves: [],
    wallets: new Map(),
    webhooks: [],
    nextWebhookId: 1,
  };
}
