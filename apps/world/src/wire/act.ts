import type { InvoiceView, PaidInvoice, SentMoney, WalletView } from "./money.ts";
import type { Scheme } from "./theme.ts";
import type { AdminRight, BotRole, ChatKind, PersonView, PhoneId, PhoneView } from "./state.ts";

/** How a mini app was opened: it decides what the init data carries (telegram.md §1.2). */
export type LaunchMode = "main" | "direct" | "inline" | "menu";

export type Launch = {
  /** Address for the phone's frame: `<phone origin>/?tgWebAppStartParam=…#tgWebAppData=…`. */
  url: string;
  bot: BotRole;
  botName: string;
  personId: number;
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
  | {
      kind: "addToGroup";
      bot: BotRole;
      payload: string | null;
      rights: AdminRight[];
      choices: { chatId: number; title: string; kind: ChatKind }[];
    }
  | {
      kind: "addToChannel";
      bot: BotRole;
      rights: AdminRight[];
      choices: { chatId: number; title: string; kind: ChatKind }[];
    }
  | { kind: "invite"; invite: InvitePreview }
  | { kind: "chat"; chatId: number }
  | { kind: "miniApp"; launch: Launch }
  | { kind: "invoice"; invoice: InvoiceView }
  | { kind: "share"; url: string; text: string }
  | { kind: "browser"; url: string }
  | { kind: "unknown"; url: string };

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

export type PressedButton =
  | { kind: "callback" }
  | { kind: "link"; opened: OpenedLink }
  | { kind: "miniApp"; launch: Launch }
  | { kind: "none" };

/** Where a message stands: a group or channel, the private chat with a bot, or with a person. */
export type Place = { chatId: number } | { bot: BotRole } | { personId: number };

export type ActorCalls = {
  createPerson: {
    takes: { firstName: string; lastName?: string; username?: string; languageCode?: string };
    gives: PersonView;
  };
  switchPerson: { takes: { phone: PhoneId; personId: number }; gives: PhoneView };
  /** `ownerId` becomes the creator. A username makes it public (not for basic groups). */
  createChat: {
    takes: { ownerId: number; kind: ChatKind; title: string; username?: string };
    gives: { chatId: number };
  };
  renameChat: { takes: { personId: number; chatId: number; title: string }; gives: null };
  openLink: { takes: { personId: number; url: string; phone?: PhoneId }; gives: OpenedLink };
  /**
   * Ends the add dialogue of a startgroup or startchannel link. Rights make the bot an
   * administrator, which turns a basic group into a supergroup: the answer tells the new id.
   */
  addBot: {
    takes: {
      personId: number;
      chatId: number;
      bot: BotRole;
      rights: AdminRight[];
      payload?: string;
      /** The person acts as an anonymous administrator. */
      anonymous?: boolean;
    };
    gives: { chatId: number };
  };
  /** Empty rights: the bot becomes a plain member (in a channel: it leaves). */
  setBotRights: {
    takes: { personId: number; chatId: number; bot: BotRole; rights: AdminRight[] };
    gives: { chatId: number };
  };
  removeBot: { takes: { personId: number; chatId: number; bot: BotRole }; gives: null };
  /** Makes a person administrator with these rights; none takes them away. */
  setAdmin: {
    takes: { personId: number; chatId: number; userId: number; rights: AdminRight[] };
    gives: { chatId: number };
  };
  /** The creator gives the chat to a member, and stays its administrator with every right. */
  transferOwnership: { takes: { personId: number; chatId: number; userId: number }; gives: null };
  /** An administrator hides behind the group, or shows again. */
  setAnonymous: { takes: { personId: number; chatId: number; anonymous: boolean }; gives: null };
  /** Adds a person by hand: administrators who may invite, and members while the group lets them. */
  addMember: { takes: { personId: number; chatId: number; userId: number }; gives: null };
  /** Whether members may add members: the group's default permission. */
  setMembersCanAdd: {
    takes: { personId: number; chatId: number; allowed: boolean };
    gives: null;
  };
  ban: { takes: { personId: number; chatId: number; userId: number }; gives: null };
  unban: { takes: { personId: number; chatId: number; userId: number }; gives: null };
  leave: { takes: { personId: number; chatId: number }; gives: null };
  /**
   * `quietly`: the bots get the two service messages alone, without `my_chat_member`; which of the
   * two Telegram does is not documented.
   */
  migrate: {
    takes: { personId: number; chatId: number; quietly?: boolean };
    gives: { chatId: number };
  };
  previewInvite: { takes: { personId: number; link: string }; gives: InvitePreview };
  /** Taps the button of the invite sheet: joins, or sends a request. Gives the sheet after it. */
  join: { takes: { personId: number; link: string }; gives: InvitePreview };
  cancelJoinRequest: { takes: { personId: number; chatId: number }; gives: null };
  sendMessage: {
    /** `replyTo`: a message of the bot's, in a dialog. */
    takes: { personId: number; to: Place; text: string; replyTo?: number };
    gives: { messageId: number };
  };
  pressButton: {
    takes: {
      personId: number;
      in: Place;
      messageId: number;
      row: number;
      column: number;
      phone?: PhoneId;
    };
    gives: PressedButton;
  };
  blockBot: { takes: { personId: number; bot: BotRole }; gives: null };
  unblockBot: { takes: { personId: number; bot: BotRole }; gives: null };
  /** The answer to the mini app's request to write to the person. */
  allowWrite: { takes: { personId: number; bot: BotRole; allowed: boolean }; gives: null };
  /** Sends mobile money from the person's wallet to a number of that network. */
  sendMoney: {
    takes: { personId: number; network: string; phone: string; amount: number };
    gives: SentMoney;
  };
  /** A further number of the person's; the digits after the country's code, or all of them. */
  addNumber: { takes: { personId: number; network: string; phone: string }; gives: WalletView };
  openMiniApp: { takes: LaunchOptions; gives: Launch };
  /** The sheet of an invoice, by its link or its slug. */
  previewInvoice: { takes: { personId: number; link: string }; gives: InvoiceView };
  /**
   * A page in the phone's browser led to Telegram, and the browser tells no more than that: what
   * was asked of people a moment ago is what is meant, if anything was.
   */
  backToTelegram: { takes: { personId: number }; gives: { invoice: InvoiceView | null } };
  /** Pays in Stars, by the link or the slug; answers when the bot has had its word, or ten seconds. */
  payInvoice: { takes: { personId: number; link: string }; gives: PaidInvoice };
  /** The sheet is put away unpaid: nobody is told. */
  cancelInvoice: { takes: { personId: number; link: string }; gives: null };
};

export type ActorAction = {
  [K in keyof ActorCalls]: { act: K } & ActorCalls[K]["takes"];
}[keyof ActorCalls];

export type ActorAnswer<K extends keyof ActorCalls = keyof ActorCalls> = ActorCalls[K]["gives"];
