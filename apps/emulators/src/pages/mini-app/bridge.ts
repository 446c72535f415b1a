import type { Launch } from "../../wire.ts";
import type { Question } from "../phone/parts/parts.tsx";
import type { ClosedInvoice, PhoneHandle } from "../phone/phone-state.ts";
import { miniAppCopy } from "../phone/messages.fr.ts";

/** What a mini app sends: every field may be absent or of another type. */
export type Fields = Record<string, unknown>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function text(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  return typeof value === "string" ? value : undefined;
}

function flag(fields: Fields, key: string): boolean | undefined {
  const value = fields[key];
  return typeof value === "boolean" ? value : undefined;
}

export type BridgeMessage = { eventType: string; data: Fields };

/** A call of the bridge is a JSON string; anything else on the channel is not for us. */
export function readBridgeMessage(raw: unknown): BridgeMessage | null {
  if (typeof raw !== "string") return null;
  try {
    const message = fieldsOf(JSON.parse(raw));
    const eventType = text(message, "eventType");
    return eventType === undefined ? null : { eventType, data: fieldsOf(message.eventData) };
  } catch {
    return null;
  }
}

export type BottomButton = { visible: boolean; active: boolean; progress: boolean; text: string };

export type AppState = {
  back: boolean;
  confirmClose: boolean;
  main: BottomButton;
  /** A colour of the theme by its key, so that it follows the theme. */
  header: "bg_color" | "secondary_bg_color";
  popup: Question | null;
};

/** A part of the new state, or a function of the former state. */
export type Change = (part: Partial<AppState> | ((before: AppState) => Partial<AppState>)) => void;

export const FIRST_APP_STATE: AppState = {
  back: false,
  confirmClose: false,
  main: { visible: false, active: true, progress: false, text: "" },
  header: "bg_color",
  popup: null,
};

/** A field left out keeps its value, as on real clients; `{is_visible:false}` only hides. */
export function buttonFrom(fields: Fields, before: BottomButton): BottomButton {
  const visible = flag(fields, "is_visible") ?? before.visible;
  const words = (text(fields, "text") ?? before.text).trim();
  return {
    visible: visible && words !== "",
    active: flag(fields, "is_active") ?? before.active,
    progress: flag(fields, "is_progress_visible") ?? before.progress,
    text: words,
  };
}

export type Post = (eventType: string, eventData?: unknown) => void;

/** What a call of the bridge may touch. */
export type BridgeContext = {
  phone: PhoneHandle;
  launch: Launch;
  post: Post;
  change: Change;
  sendViewport: () => void;
};

const HANDLERS: Record<string, (context: BridgeContext, data: Fields) => void> = {
  web_app_expand: ({ sendViewport }) => sendViewport(),
  web_app_setup_back_button: ({ change }, data) =>
    change({ back: flag(data, "is_visible") ?? false }),
  web_app_setup_closing_behavior: ({ change }, data) =>
    change({ confirmClose: flag(data, "need_confirmation") ?? false }),
  web_app_setup_main_button: ({ change }, data) =>
    change(({ main }) => ({ main: buttonFrom(data, main) })),
  web_app_set_header_color: ({ change }, data) => {
    const key = text(data, "color_key");
    if (key === "bg_color" || key === "secondary_bg_color") change({ header: key });
  },
  web_app_open_link: ({ phone }, data) => {
    const url = text(data, "url");
    if (url !== undefined) void phone.openUrl(url);
  },
  web_app_open_tg_link: ({ phone }, data) => {
    const path = text(data, "path_full");
    if (path !== undefined) void phone.openUrl(new URL(path, "https://t.me").href);
  },
  web_app_open_invoice: openInvoice,
  web_app_request_write_access: askWriteAccess,
};

/** Messages of the bridge this phone does not know are ignored, as an old client would. */
export function answerBridge(context: BridgeContext, { eventType, data }: BridgeMessage): void {
  HANDLERS[eventType]?.(context, data);
}

/** Telegram's own question, over the app: one answer does something, the other nothing. */
export function ask(
  change: Change,
  { message, no, yes }: { message: string; no: string; yes: string },
  answered: (agreed: boolean) => void,
): void {
  const buttons = [
    { id: "no", text: no },
    { id: "yes", text: yes },
  ];
  const onChoice = (id: string | null) => {
    change({ popup: null });
    answered(id === "yes");
  };
  change({ popup: { message, buttons, onChoice } });
}

function askWriteAccess({ phone, launch, post, change }: BridgeContext): void {
  const { message, refuse: no, allow: yes } = miniAppCopy.write;
  ask(change, { message: message(launch.botName), no, yes }, (allowed) => {
    void phone.act("allowWrite", { bot: launch.bot, allowed }).then((answer) => {
      const done = answer !== null && allowed;
      post("write_access_requested", { status: done ? "allowed" : "cancelled" });
    });
  });
}

/** The invoice's sheet over the app; the app is notified once, whatever happens. */
export function openInvoice({ phone, post }: BridgeContext, data: Fields): void {
  const slug = text(data, "slug") ?? "";
  const closed = (status: ClosedInvoice) => post("invoice_closed", { slug, status });
  // One sheet at a time: the app behind it waits for the first.
  if (phone.ui.sheet?.kind === "invoice") return closed("failed");
  void phone.act("previewInvoice", { link: slug }).then((answer) => {
    if (answer === null) return closed("failed");
    const sheet = { kind: "invoice", invoice: answer.gives, onClosed: closed } as const;
    phone.dispatch({ type: "sheet", sheet });
  });
}
