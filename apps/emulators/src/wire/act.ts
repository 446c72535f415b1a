import type { InvoiceView, PaidInvoice, SmsView, WalletView } from "./money.ts";
import type { Scheme } from "./theme.ts";
import type { AdminRight, BotRole, ChatKind, PersonView, PhoneId } from "./state.ts";

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
