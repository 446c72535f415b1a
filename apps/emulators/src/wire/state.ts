import type { Message } from "../telegram/bot-api.ts";
import type { FaultsView } from "./control.ts";
import type {
  CollectorName,
  CollectorView,
  FloatView,
  MerchantView,
  NetworkView,
  PayoutView,
  SmsView,
  WalletView,
} from "./money.ts";

export type { InlineKeyboardButton, Message, MessageEntity, User } from "../telegram/bot-api.ts";

export type PhoneId = "seller" | "buyer" | "agent";
export type BotRole = "seller" | "buyer";
export type ChatKind = "group" | "supergroup" | "channel";
export type MemberStatus = "creator" | "administrator" | "member" | "left" | "kicked";

/** Rights as they stand in `admin=` of an add link. */
export const ALL_RIGHTS = [
  "change_info",
  "post_messages",
  "edit_messages",
  "delete_messages",
  "restrict_members",
  "invite_users",
  "pin_messages",
  "manage_topics",
  "promote_members",
  "manage_video_chats",
  "anonymous",
  "manage_chat",
  "post_stories",
  "edit_stories",
  "delete_stories",
] as const;
export type AdminRight = (typeof ALL_RIGHTS)[number];

export type EmulatorState = {
  /** Grows with each change. */
  version: number;
  now: string;
  offsetMs: number;
  appUrl: string;
  emulatorUrl: string;
  phones: PhoneView[];
  persons: PersonView[];
  bots: BotView[];
  /** Groups and channels, every one; a phone shows those its person is in, or has asked to join. */
  chats: ChatView[];
  /** Private conversations between a person and a bot. */
  dialogs: DialogView[];
  /** Private conversations between two persons. */
  talks: TalkView[];
  /** Providers that take money. */
  collectors: CollectorView[];
  /** Accounts that sellers opened at providers. */
  merchants: MerchantView[];
  /** Of the three providers, newest first. */
  payouts: PayoutView[];
  floats: FloatView[];
  networks: NetworkView[];
  wallets: WalletView[];
  /** Oldest first. */
  sms: SmsView[];
  faults: FaultsView;
};

export type PhoneView = {
  id: PhoneId;
  /** Who holds the phone; changed by `switchPerson`. */
  personId: number;
  /** Origin of the app inside this phone (its own local storage). */
  appOrigin: string;
  /** How long its network delays each request to the app; 0: a normal network. */
  delayMs: number;
};

export type PersonView = {
  id: number;
  firstName: string;
  lastName: string | null;
  username: string | null;
  languageCode: string;
  /** Telegram Stars to spend. */
  stars: number;
};

export type BotView = {
  role: BotRole;
  id: number;
  username: string;
  name: string;
  description: string;
  shortDescription: string;
  commands: { command: string; description: string }[];
  /** The button beside the text field; opens the mini app when the type is `web_app`. */
  menuButton: { type: "default" | "commands" } | { type: "web_app"; text: string; url: string };
};

export type ChatView = {
  id: number;
  kind: ChatKind;
  title: string;
  username: string | null;
  /** Set once a basic group has become a supergroup: the old chat is then read-only. */
  migratedTo: number | null;
  memberCount: number;
  /** Those inside, and those banned. */
  members: MemberView[];
  inviteLinks: InviteLinkView[];
  joinRequests: JoinRequestView[];
  messages: Message[];
};

export type MemberView = {
  userId: number;
  name: string;
  isBot: boolean;
  status: MemberStatus;
  /** Empty unless administrator or creator. */
  rights: AdminRight[];
};

export type InviteLinkView = { link: string; createsJoinRequest: boolean; isRevoked: boolean };

export type JoinRequestView = { userId: number; name: string };

export type DialogView = {
  personId: number;
  bot: BotRole;
  /** The person sent /start or wrote at least once. */
  started: boolean;
  blocked: boolean;
  writeAccess: boolean;
  messages: Message[];
};

export type TalkView = { personIds: [number, number]; messages: Message[] };

export type PaymentStatus = "initiated" | "pending" | "success" | "failed" | "cancelled";

export type WebhookView = {
  id: number;
  event: string;
  /** Of the payment, or of the payout. */
  paymentId: string;
  /** `held`: waits for its instant or for a release; `dropped`: never to be sent. */
  state: "held" | "sending" | "delivered" | "failed" | "dropped";
  tries: number;
  lastAnswer: string | null;
  dueAtMs: number;
};

export type EmulatorEvent =
  | { type: "state"; state: EmulatorState }
  /** answerCallbackQuery: a toast, or an alert, on the phone of that person. */
  | { type: "toast"; personId: number; text: string; alert: boolean }
  /** A call of the server's, answered; status 0 when the connection broke or nothing came. */
  | {
      type: "call";
      at: string;
      party: "telegram" | CollectorName;
      what: string;
      status: number;
    }
  /** The clock jumped: mini apps should be opened again with fresh init data. */
  | { type: "clockJumped"; offsetMs: number };
