/**
 * The emulators' own control API: what the phones, the control panel and the tests say to it.
 * It is no protocol of Telegram or of a provider: those are spoken to the letter under their own paths.
 *
 *   GET  /emulators/state      EmulatorState, whole
 *   GET  /emulators/events     SSE, each `data:` an EmulatorEvent; the first is the whole state
 *   GET  /emulators/clock      SSE, `data: {"offset_ms":N}` at once and after each change
 *   POST /emulators/act        { act, … } of ActorCalls   (422 { error } when nobody could do that)
 *   POST /emulators/control    { control, … } of ControlCalls
 *   GET  /emulators/pay/:provider/:token   CheckoutView (404 { error })
 *   POST /emulators/pay/:provider/:token   CheckoutAction → CheckoutView (422 { error })
 *
 * Instants are ISO 8601 on the emulators' clock. Money is whole francs.
 */
import type { Message } from "./telegram/bot-api.ts";
import type { Scheme } from "./theme.ts";

export type { InlineKeyboardButton, Message, MessageEntity, User } from "./telegram/bot-api.ts";

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

/** How a mini app was opened: it decides what the init data carries (telegram.md §1.2). */
export type LaunchMode = "main" | "direct" | "inline" | "menu";

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
  /** `main` when absent. */
  mode?: LaunchMode;
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
export type InvitePreview = {
  link: string;
  /** `open`: tap joins at once; `askable`: tap sends a request; the others are dead ends. */
  state:
    | "open"
    | "askable"
    | "asked"
    | "member"
    | "expired"
    | "revoked"
    | "full"
    | "banned"
    | "unknown";
  chatId: number | null;
  title: string;
  kind: ChatKind | null;
  memberCount: number;
};

export type PressedButton = OpenedLink | { kind: "callback" } | { kind: "none" };

/** Where a message stands: a group or channel, the private chat with a bot, or with a person. */
export type Place = { chatId: number } | { bot: BotRole } | { personId: number };

/** What a call takes, and what it answers. */
export type Call<Takes, Gives = null> = { takes: Takes; gives: Gives };
type InChat = { personId: number; chatId: number };
type OfMember = InChat & { userId: number };

type ButtonPlace = { messageId: number; row: number; column: number };

export type ActorCalls = {
  createPerson: Call<
    { firstName: string; lastName?: string; username?: string; languageCode?: string },
    PersonView
  >;
  switchPerson: Call<{ phone: PhoneId; personId: number }>;
  /** `ownerId` becomes the creator. A username makes it public (not for basic groups). */
  createChat: Call<
    { ownerId: number; kind: ChatKind; title: string; username?: string },
    { chatId: number }
  >;
  renameChat: Call<InChat & { title: string }>;
  openLink: Call<{ personId: number; url: string; phone?: PhoneId }, OpenedLink>;
  /**
   * Ends the add dialogue of a startgroup or startchannel link. Rights make the bot an
   * administrator, which turns a basic group into a supergroup: the answer has the new id.
   * `anonymous`: the person acts as an anonymous administrator.
   */
  addBot: Call<
    InChat & { bot: BotRole; rights: AdminRight[]; payload?: string; anonymous?: boolean },
    { chatId: number }
  >;
  /** Empty rights: the bot becomes a plain member (in a channel: it leaves). */
  setBotRights: Call<InChat & { bot: BotRole; rights: AdminRight[] }, { chatId: number }>;
  removeBot: Call<InChat & { bot: BotRole }>;
  /** Makes a person administrator with these rights; none takes them away. */
  setAdmin: Call<OfMember & { rights: AdminRight[] }, { chatId: number }>;
  /** The creator gives the chat to a member, and stays its administrator with every right. */
  transferOwnership: Call<OfMember>;
  /** An administrator hides behind the group, or shows again. */
  setAnonymous: Call<InChat & { anonymous: boolean }>;
  /** Adds a person by hand: administrators who may invite, and members while the group lets them. */
  addMember: Call<OfMember>;
  /** Whether members may add members: the group's default permission. */
  setMembersCanAdd: Call<InChat & { allowed: boolean }>;
  ban: Call<OfMember>;
  unban: Call<OfMember>;
  leave: Call<InChat>;
  /**
   * `quietly`: the bots get the two service messages alone, without `my_chat_member`; which of the
   * two Telegram does is not documented.
   */
  migrate: Call<InChat & { quietly?: boolean }, { chatId: number }>;
  previewInvite: Call<{ personId: number; link: string }, InvitePreview>;
  /** Taps the button of the invite sheet: joins, or sends a request. Gives the sheet after it. */
  join: Call<{ personId: number; link: string }, InvitePreview>;
  cancelJoinRequest: Call<InChat>;
  /** `replyTo`: a message of the bot's, in a dialog. */
  sendMessage: Call<
    { personId: number; to: Place; text: string; replyTo?: number },
    { messageId: number }
  >;
  pressButton: Call<{ personId: number; in: Place; phone?: PhoneId } & ButtonPlace, PressedButton>;
  blockBot: Call<{ personId: number; bot: BotRole }>;
  unblockBot: Call<{ personId: number; bot: BotRole }>;
  /** The answer to the mini app's request to write to the person. */
  allowWrite: Call<{ personId: number; bot: BotRole; allowed: boolean }>;
  /** Sends mobile money from the person's wallet to a number of that network. */
  sendMoney: Call<{ personId: number; network: string; phone: string; amount: number }, SmsView>;
  /** A further number of the person's; the digits after the country's code, or all of them. */
  addNumber: Call<{ personId: number; network: string; phone: string }, WalletView>;
  openMiniApp: Call<LaunchOptions, Launch>;
  /** The sheet of an invoice, by its link or its slug. */
  previewInvoice: Call<{ personId: number; link: string }, InvoiceView>;
  /**
   * A page in the phone's browser led to Telegram, and the browser reports no more than that: the
   * last request to people is opened, if there was one.
   */
  backToTelegram: Call<{ personId: number }, { invoice: InvoiceView | null }>;
  /**
   * Pays in Stars, by the link or the slug; answers when the bot has answered, or after ten
   * seconds.
   */
  payInvoice: Call<{ personId: number; link: string }, PaidInvoice>;
  /** The sheet is closed unpaid: nobody is notified. */
  cancelInvoice: Call<{ personId: number; link: string }>;
};

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

/**
 * A provider that takes money, as the control panel shows it; latest payments and webhooks first.
 */
export type CollectorView = {
  name: CollectorName;
  payments: PaymentView[];
  faults: PaymentRule[];
  webhooks: WebhookMode;
  sentWebhooks: WebhookView[];
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

export type PayoutView = {
  provider: PayoutProviderName;
  /** The provider's own. */
  id: string;
  /** The token of PayDunya's first step. */
  handle: string | null;
  /** Our reference, as the app gave it. */
  reference: string | null;
  amount: number;
  /** The provider's fee, on top of the amount. */
  cost: number;
  /** The provider's code. */
  method: string;
  /** E.164. */
  phone: string;
  status: PayoutStatus;
  failure: string | null;
  operatorReference: string | null;
  createdAt: string;
  startedAt: string | null;
  /** When the money reached the phone, and only then. */
  sentAt: string | null;
  /** Nobody asked for it. */
  planted: boolean;
};

/** What a provider has left to send. */
export type FloatView = { provider: PayoutProviderName; account: string; amount: number };

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
  /** Changes the status and sends no webhook. */
  silent?: boolean;
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

export type NetworkView = {
  /** One of the fifteen methods. */
  id: string;
  name: string;
  country: string;
  /** Digits without `+`. */
  dial: string;
  /** How many digits a number has after it. */
  digits: number;
};

/** What a page hands over to open the widget. */
export type KkiapayConfig = Record<string, unknown>;

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

/** The sheet on which a person pays in Stars. */
export type InvoiceView = {
  /** What stands in `t.me/$slug`. */
  slug: string;
  bot: BotRole;
  botName: string;
  title: string;
  description: string;
  /** Stars. */
  amount: number;
  /** What the person who looks at the sheet has. */
  stars: number;
};

/** As mini apps receive it in `invoice_closed`. */
export type InvoiceOutcome = "paid" | "failed" | "cancelled";

export type PaidInvoice = {
  slug: string;
  status: InvoiceOutcome;
  /**
   * Why it failed: too few Stars, the bot refused (with its words), or it did not answer in time.
   */
  why: "not-enough" | "refused" | "no-answer" | null;
  words: string | null;
  /** What the person has left. */
  stars: number;
};

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
  bot?: BotRole;
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

export type FaultsView = {
  telegram: TelegramFaultRule[];
  /** Every payment in Stars fails: the bot's answer before it is treated as too late. */
  lateStars: boolean;
  kkiapay: KkiapayModes;
  updates: UpdateDelivery;
  payouts: Record<PayoutProviderName, PayoutRule[]>;
};

export type ControlCalls = {
  /** `null`: none any more. */
  setPaymentFault: Call<
    { provider: CollectorName; call: PaymentCall; kind: PaymentFault | null; times?: number },
    CollectorView
  >;
  setPaymentWebhooks: Call<{ provider: CollectorName } & Partial<WebhookMode>, CollectorView>;
  /** As the customer on the provider's page; `silent` sends no webhook. */
  settleCollected: Call<
    { provider: CollectorName; paymentId: string; outcome: PaymentOutcome; silent?: boolean },
    PaymentView
  >;
  /** `announced`: a webhook follows, where the provider sends one after the end. */
  alterCollected: Call<
    { provider: CollectorName; paymentId: string; announced?: boolean } & AlteredPayment,
    PaymentView
  >;
  repeatPaymentWebhook: Call<{ provider: CollectorName; webhookId: number }, WebhookView>;
  /** A seller opens an account at a provider, then sets the address of its webhooks. */
  openMerchant: Call<{ provider: MerchantProviderName; webhookUrl?: string }, MerchantView>;
  pointMerchant: Call<
    { provider: MerchantProviderName; merchantId: string; webhookUrl: string },
    MerchantView
  >;
  advanceClock: Call<{ ms: number }, { offsetMs: number }>;
  setKkiapay: Call<Partial<KkiapayModes>, FaultsView>;
  /** `late`: bots' answers before a payment come too late; `stars`: what that person has. */
  setStars: Call<{ late?: boolean; personId?: number; stars?: number }, FaultsView>;
  setClockOffset: Call<{ offsetMs: number }, { offsetMs: number }>;
  /** A slow network on one phone; 0 ms makes it normal again. */
  setPhoneNetwork: Call<{ phone: PhoneId; delayMs: number }, PhoneView>;
  addTelegramFault: Call<TelegramFaultRule, FaultsView>;
  clearTelegramFaults: Call<object, FaultsView>;
  setUpdateDelivery: Call<Partial<UpdateDelivery>, FaultsView>;
  /** All faults of every kind. */
  clearFaults: Call<object, FaultsView>;
  settlePayout: Call<
    { provider: PayoutProviderName; payoutId: string; outcome: "success" | "failed"; why?: string },
    PayoutView
  >;
  /** `null`: none any more. */
  setPayoutFault: Call<
    { provider: PayoutProviderName; kind: PayoutFault | null } & Partial<Omit<PayoutRule, "kind">>,
    FaultsView
  >;
  setFloat: Call<{ provider: PayoutProviderName; account: string; amount: number }, FloatView>;
  /** Puts money in a person's wallet. */
  creditWallet: Call<{ phone: string; amount: number }, WalletView>;
  /** A payout that nobody asked for, and one that the provider forgets: for reconciliation. */
  plantPayout: Call<
    { provider: PayoutProviderName; amount: number; phone?: string; reference?: string },
    PayoutView
  >;
  forgetPayout: Call<{ provider: PayoutProviderName; payoutId: string }>;
};
