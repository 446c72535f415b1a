import type { Launch } from "../../wire.ts";
import type { PhoneHandle } from "../phone/phone-context.ts";
import type { Change } from "./app-state.ts";
import { buttonFrom } from "./app-state.ts";
import { type BridgeMessage, type Fields, fieldsOf, flag, text } from "./fields.ts";
import { askWriteAccess, openInvoice } from "./questions.ts";

export type Post = (eventType: string, eventData?: unknown) => void;

/** What a call of the bridge may touch. */
export type BridgeContext = {
  phone: PhoneHandle;
  launch: Launch;
  post: Post;
  change: Change;
  haptic: (kind: string) => void;
  sendViewport: () => void;
};

type Handler = (context: BridgeContext, data: Fields) => void;

const chrome: Record<string, Handler> = {
  iframe_ready: () => undefined,
  iframe_will_reload: () => undefined,
  web_app_ready: ({ change }) => change({ ready: true }),
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
  web_app_trigger_haptic_feedback: ({ haptic }, data) => {
    const notification = text(data, "notification_type");
    haptic(text(data, "impact_style") ?? notification ?? "selection");
  },
};

const leading: Record<string, Handler> = {
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
export function answerBridge(context: BridgeContext, message: BridgeMessage): void {
  const handler = chrome[message.eventType] ?? leading[message.eventType];
  handler?.(context, fieldsOf(message.data));
}
