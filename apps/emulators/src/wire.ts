/**
 * The emulators' own control API: what the phones, the control panel and the tests say to it.
 * It is no protocol of Telegram or of a provider: those are spoken to the letter under their own paths.
 *
 *   GET  /emulators/state      EmulatorState, whole
 *   GET  /emulators/events     SSE, each `data:` an EmulatorEvent; the first is the whole state
 *   GET  /emulators/clock      SSE, `data: {"offset_ms":N}` at once and after each change
 *   POST /emulators/act        { act, … } of Actors   (422 { error } when nobody could do that)
 *   POST /emulators/control    { control, … } of Panel
 *   GET  /emulators/pay/:provider/:token   CheckoutView (404 { error })
 *   POST /emulators/pay/:provider/:token   CheckoutAction → CheckoutView (422 { error })
 *
 * Instants are ISO 8601 on the emulators' clock. Money is whole francs.
 */
import type { Actors } from "./telegram/actors.ts";
import type { Message } from "grammy/types";
import type { previewInvite } from "./telegram/invite-links.ts";
import type { invoiceView } from "./telegram/stars.ts";
import type { Panel } from "./control/panel.ts";
import type { snapshot } from "./control/snapshot.ts";
import type { Payout } from "./kit/payouts.ts";
import type { Network } from "./mobile-money/networks.ts";
import type { Scheme } from "./theme.ts";

export type { InlineKeyboardButton, Message, MessageEntity, User } from "grammy/types";

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

/** What the pages show, as the emulators send it. */
export type EmulatorState = ReturnType<typeof snapshot>;
export type PhoneView = EmulatorState["phones"][number];
export type BotView = EmulatorState["bots"][number];
export type ChatView = EmulatorState["chats"][number];
export type MemberView = ChatView["members"][number];
export type CollectorView = EmulatorState["collectors"][number];
export type FaultsView = EmulatorState["faults"];

export type PersonView = {
  id: number;
  firstName: string;
  lastName: string | null;
  username: string | null;
  languageCode: string;
  /** Telegram Stars to spend. */
  stars: number;
};

export type InviteLinkView = { link: string; createsJoinRequest: boolean; isRevoked: boolean };

export type DialogView = {
  personId: number;
  bot: BotRole;
  /** The person sent /start or wrote at least once. */
  started: boolean;
  blocked: boolean;
  writeAccess: boolean;
  messages: Message[];
};

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
  /** The clock jumped: init data of open mini apps may be too old now. */
  | { type: "clockJumped"; offsetMs: number };

export type Launch = {
  /** Address for the phone's frame: `<phone origin>/?tgWebAppStartParam=…#tgWebAppData=…`. */
  url: string;
  botName: string;
  /** How the same app is opened again. */
  options: LaunchOptions;
};

export type LaunchOptions = {
  personId: number;
  bot: BotRole;
  startParam?: string;
  /** How it is opened decides what the init data carries; `main` when absent. */
  mode?: "main" | "direct" | "inline" | "menu";
  /** Whose app origin; by default the phone the person holds, else the buyer's. */
  phone?: PhoneId;
  /** Path and query to open on that origin, for a web_app button; `/` when absent. */
  path?: string;
  theme?: Scheme;
};

/** What a tap on an address leads to. */
export type OpenedLink =
  | { kind: "dialog"; bot: BotRole; startPayload: string | null }
  | ({ kind: "addToGroup"; payload: string | null } & AddBot)
  | ({ kind: "addToChannel" } & AddBot)
  | { kind: "invite"; invite: InvitePreview }
  | { kind: "chat"; chatId: number }
  | { kind: "miniApp"; launch: Launch }
  | { kind: "invoice"; invoice: InvoiceView }
  | { kind: "share"; url: string; text: string }
  | { kind: "browser"; url: string }
  | { kind: "unknown"; url: string };

type AddBot = {
  bot: BotRole;
  rights: AdminRight[];
  choices: { chatId: number; title: string; kind: ChatKind }[];
};

/** The sheet shown before joining. */
export type InvitePreview = ReturnType<typeof previewInvite>;

export type PressedButton = OpenedLink | { kind: "callback" } | { kind: "none" };

/** Of a button below a message. */
export type ButtonPlace = { messageId: number; row: number; column: number };

/** Where a message stands: a group or channel, the private chat with a bot, or with a person. */
export type Place = { chatId: number } | { bot: BotRole } | { personId: number };

/** What each call takes, and what it answers. */
type CallsOf<T extends Record<keyof T, (input: never) => unknown>> = {
  [K in keyof T]: { takes: Parameters<T[K]>[0]; gives: Awaited<ReturnType<T[K]>> };
};
export type ActorCalls = CallsOf<Actors>;
export type ControlCalls = CallsOf<Panel>;

/** Providers that take money for the app. */
export type CollectorName = "moneroo" | "fedapay" | "kkiapay" | "paydunya" | "cryptopay" | "stars";

/** One payment in words common to all providers; each provider's answers have its own. */
export type PaymentView = {
  /** The provider's own. */
  id: string;
  /** Our reference, as the app gave it. */
  reference: string | null;
  /** As the provider writes it. */
  amount: number | string;
  currency: string;
  status: "pending" | "paid" | "failed" | "cancelled" | "refunded";
  /** The provider's hosted page, or what opens it. */
  payUrl: string | null;
  /** The provider's other id, where a refund or a webhook uses one. */
  transactionId: string | null;
};

export type PaymentOutcome = "success" | "failure" | "cancel" | "pending";

/** Altered answers of the provider; null: the truth again. */
export type AlteredPayment = {
  amount?: number | string | null;
  currency?: string | null;
  /** Empty: the answers name none. */
  reference?: string | null;
  environment?: "live" | "sandbox" | null;
  /** The provider's word. */
  status?: string | null;
};

/** Providers where a seller opens an own account. */
export type MerchantProviderName = Exclude<CollectorName, "stars">;

/** A seller's account at a provider: its keys are the provider's to give, and shown here alone. */
export type MerchantView = {
  provider: MerchantProviderName;
  id: string;
  keys: Record<string, string>;
  webhookUrl: string | null;
};

/** Providers that send money for the app. */
export type PayoutProviderName = "paydunya" | "moneroo" | "fedapay";

/**
 * Words common to the three providers. `created`: known, not yet sent; `queued`: accepted to be
 * sent; `pending`: with the operator.
 */
export type PayoutStatus = "created" | "queued" | "pending" | "success" | "failed";

export type PayoutView = Omit<
  Payout,
  "account" | "description" | "customer" | "metadata" | "callbackUrl" | "updatedAt" | "course"
>;

export type CheckoutMethod = {
  code: string;
  name: string;
  /** Empty for what is of no country. */
  country: string;
  dialCode: string;
  /** The price by this method, where it is not the price of the payment. */
  price?: string;
};

/** A payment as its customer's page shows it, whoever the provider is. */
export type CheckoutView = {
  provider: CollectorName;
  /** What stands in the page's address. */
  id: string;
  status: PaymentStatus;
  amount: number;
  currency: string;
  description: string;
  merchant: string;
  /** The customer's, as the app gave it. */
  phone: string | null;
  methods: CheckoutMethod[];
  failureMessage: string | null;
  /** The customer can do no more here. */
  over: boolean;
  /** Where the page goes once the customer is done, with what the provider appends; null: nowhere. */
  returnUrl: string | null;
  /** A widget's message to the page that opened it. */
  reported?: Record<string, unknown>;
};

export type CheckoutAction = {
  action: "success" | "fail" | "cancel" | "pending";
  method?: string;
  phone?: string;
};

/** A mobile-money account: a number at an operator, and who holds it. */
export type WalletView = {
  /** E.164. */
  phone: string;
  personId: number | null;
  /** One of the fifteen methods: `orange-money-ci`, … */
  network: string;
  balance: number;
};

/** An operator's message to the holder of a number. */
export type SmsView = {
  id: number;
  /** Who reads it: the number, and the person who holds it, if anybody does. */
  phone: string;
  personId: number | null;
  kind: "received" | "sent";
  network: string;
  amount: number;
  /** The other side: a name, a number, or a provider. */
  other: { name: string | null; phone: string | null };
  /** The operator's own, unique. */
  reference: string;
  balance: number;
  sentAt: string;
};

export type NetworkView = Pick<Network, "id" | "name" | "country" | "dial" | "digits">;

/** Faults of KkiaPay. */
export type KkiapayModes = typeof NORMAL_MODES;

export const NORMAL_MODES = {
  /** The partner's number is lost on the way, as in a real sandbox. */
  emptyPartnerId: false,
  /** Webhooks carry the state as a text of JSON. */
  stateAsText: false,
  /** The widget's page says "paid" although nothing was. */
  forgedSuccess: false,
  /** The widget is opened with another amount than the page asked: changed in the browser. */
  otherAmount: false,
};

export type InvoiceView = ReturnType<typeof invoiceView>;

/** As mini apps receive it in `invoice_closed`. */
export type InvoiceOutcome = "paid" | "failed" | "cancelled";

/** What the app asks of a provider: of payments the first three, of payouts the others. */
export type PaymentCall = "create" | "fetch" | "refund";
/** `prepare` moves no money; PayDunya and FedaPay alone have it. */
export type PayoutCall = "prepare" | "submit" | "lookup" | "list";

/** How any call of a provider's goes wrong. */
type CallFault =
  /** An explicit no; nothing was done. */
  | "refuse"
  /** The connection breaks, and nothing was done. */
  | "timeout-before"
  /** It was done, and the connection breaks. */
  | "timeout-after"
  /** It was done, and 500 is answered. */
  | "500-after"
  | "429"
  /** 200, and nothing of what the provider answers. */
  | "nonsense"
  /** 503. */
  | "down";

export type PaymentFault =
  | CallFault
  | "500"
  | "not-found"
  /** The keys are not accepted. */
  | "keys";

export type PayoutFault =
  | CallFault
  | "insufficient-float"
  /** Taken; succeeds six hours later. */
  | "late-success"
  /** Taken; fails six hours later. */
  | "late-failure"
  /** Taken; never ends by itself. */
  | "stay-pending"
  | "slow"
  | "unknown-word"
  /** The field of the status is missing. */
  | "no-word"
  | "wrong-amount"
  | "wrong-reference";

export type FaultRule<
  Call = PaymentCall | PayoutCall | "any",
  Kind = PaymentFault | PayoutFault,
> = {
  kind: Kind;
  call: Call;
  /** How many calls still to hit; null: until the rule is taken away. */
  times: number | null;
  /** How long a connection that breaks stays silent first; a slow answer's delay. */
  afterMs: number;
};
export type PaymentRule = FaultRule<PaymentCall, PaymentFault>;
export type PayoutRule = FaultRule<PayoutCall | "any", PayoutFault>;

export type TelegramFault =
  | { kind: "tooMany"; retryAfterSeconds: number }
  | { kind: "serverError" }
  /** Any other refusal of Telegram's, e.g. 400 "Bad Request: CHANNELS_TOO_MUCH". */
  | { kind: "refusal"; code: number; description: string }
  /** Answers after this long. */
  | { kind: "slow"; ms: number }
  /** Never answers. */
  | { kind: "hang" }
  /** The connection breaks before anything was done. */
  | { kind: "dropBefore" }
  /** It was done, then the connection breaks. */
  | { kind: "dropAfter" }
  /** It was done, then 500 is answered. */
  | { kind: "serverErrorAfter" }
  /** 200, and no JSON. */
  | { kind: "nonsense" };

export type TelegramFaultRule = {
  /** A method's name, any case, or `*` for every one (getUpdates excepted unless named). */
  method: string;
  fault: TelegramFault;
  /** How many calls still to hit; null: until cleared. */
  times: number | null;
};

/** How updates reach the bots. */
export type UpdateDelivery = typeof NORMAL_DELIVERY;

export const NORMAL_DELIVERY = {
  delayMs: 0,
  /** Each update is sent this many times. */
  copies: 1,
  /** Two neighbours change places. */
  reorder: false,
  /** Updates never reach the bot. */
  drop: false,
};

export type WebhookMode = typeof NORMAL_WEBHOOKS;

export const NORMAL_WEBHOOKS = {
  drop: false,
  delayMs: 0,
  copies: 1,
  forgeSignature: false,
  /** Body with unusual spaces and escapes, still well signed. */
  unusualSpacing: false,
};
