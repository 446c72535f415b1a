import type {
  AdminRight,
  BotRole,
  ChatKind,
  InvitePreview,
  InvoiceOutcome,
  InvoiceView,
  Launch,
  LaunchOptions,
  OpenedLink,
} from "../../wire.ts";

export type Screen =
  | { at: "chats" }
  | { at: "dialog"; bot: BotRole; startPayload: string | null }
  | { at: "chat"; chatId: number }
  | { at: "info"; chatId: number }
  | { at: "admin"; chatId: number; bot: BotRole }
  | { at: "person"; personId: number }
  | { at: "create"; kind: ChatKind };

type AddLink = Extract<OpenedLink, { kind: "addToGroup" | "addToChannel" }>;

export type Sheet =
  | { kind: "invite"; invite: InvitePreview }
  /** `url`: asked again after a group was created from the chooser. */
  | { kind: "addBot"; link: AddLink; url: string }
  | { kind: "share"; text: string }
  | { kind: "invoice"; invoice: InvoiceView; onClosed: ((status: ClosedInvoice) => void) | null }
  | { kind: "compose" };

/** As a mini app is told it; `pending`: put away while the bot had not had its word. */
export type ClosedInvoice = InvoiceOutcome | "pending";

export type OpenApp = {
  launch: Launch;
  options: LaunchOptions;
  minimised: boolean;
  /** Grows when the app must be loaded anew. */
  generation: number;
};

export type Notice = { kind: "toast" | "alert"; text: string };

export type PhoneUi = {
  stack: Screen[];
  sheet: Sheet | null;
  app: OpenApp | null;
  browserUrl: string | null;
  notice: Notice | null;
};

export type UiEvent =
  | { type: "push"; screen: Screen }
  /** From the list: what was open before is left. */
  | { type: "goTo"; screen: Screen }
  | { type: "replace"; screen: Screen }
  | { type: "back" }
  | { type: "sheet"; sheet: Sheet | null }
  | { type: "openApp"; launch: Launch; options: LaunchOptions }
  /** The same app anew, where it stands: in sight or put aside. */
  | { type: "reopenApp"; launch: Launch }
  | { type: "closeApp" }
  | { type: "minimiseApp"; minimised: boolean }
  | { type: "browser"; url: string | null }
  | { type: "notice"; notice: Notice | null };

export const FIRST_UI: PhoneUi = {
  stack: [{ at: "chats" }],
  sheet: null,
  app: null,
  browserUrl: null,
  notice: null,
};

/** Showing a chat puts the mini app and the browser behind it: since 7.0 the app stays open. */
function showing(ui: PhoneUi, stack: Screen[]): PhoneUi {
  const app = ui.app === null ? null : { ...ui.app, minimised: true };
  return { ...ui, stack, app, sheet: null, browserUrl: null };
}

export function nextUi(ui: PhoneUi, event: UiEvent): PhoneUi {
  switch (event.type) {
    case "push":
      return showing(ui, [...ui.stack, event.screen]);
    case "goTo":
      return showing(ui, [{ at: "chats" }, event.screen]);
    case "replace":
      return showing(ui, [...ui.stack.slice(0, -1), event.screen]);
    case "back":
      return { ...ui, stack: ui.stack.length > 1 ? ui.stack.slice(0, -1) : ui.stack };
    case "sheet":
      return { ...ui, sheet: event.sheet };
    case "openApp": {
      const generation = (ui.app?.generation ?? 0) + 1;
      const app = { launch: event.launch, options: event.options, minimised: false, generation };
      return { ...ui, app, sheet: null, browserUrl: null };
    }
    case "reopenApp": {
      if (ui.app === null) return ui;
      const generation = ui.app.generation + 1;
      return { ...ui, app: { ...ui.app, launch: event.launch, generation } };
    }
    case "closeApp":
      return { ...ui, app: null };
    case "minimiseApp":
      return ui.app === null ? ui : { ...ui, app: { ...ui.app, minimised: event.minimised } };
    case "browser":
      return { ...ui, browserUrl: event.url };
    case "notice":
      return { ...ui, notice: event.notice };
  }
}

/** The rights an owner can give a bot here, in the order they are shown. */
export const BOT_RIGHTS: AdminRight[] = [
  "change_info",
  "post_messages",
  "delete_messages",
  "restrict_members",
  "invite_users",
  "pin_messages",
  "promote_members",
  "manage_chat",
];
