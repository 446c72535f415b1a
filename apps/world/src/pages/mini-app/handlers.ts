import type { Launch } from "../../wire.ts";
import type { PhoneHandle } from "../phone/phone-context.ts";
import type { AppState, Change } from "./app-state.ts";
import { buttonFrom, colorFrom, popupButtonsFrom } from "./app-state.ts";
import { miniAppCopy } from "./copy.fr.ts";
import { type BridgeMessage, type Fields, fieldsOf, flag, text } from "./fields.ts";
import {
  askPhone,
  askWriteAccess,
  invokeCustomMethod,
  openInvoice,
  sendPrepared,
} from "./questions.ts";
import { refuseUnsupported } from "./unsupported.ts";

export type Post = (eventType: string, eventData?: unknown) => void;

/** What a call of the bridge may touch. */
export type BridgeContext = {
  phone: PhoneHandle;
  launch: Launch;
  post: Post;
  state: AppState;
  change: Change;
  close: () => void;
  haptic: (kind: string) => void;
  sendTheme: () => void;
  sendViewport: () => void;
  sendSafeAreas: (fullscreen: boolean) => void;
};

type Handler = (context: BridgeContext, data: Fields) => void;

const chrome: Record<string, Handler> = {
  iframe_ready: () => undefined,
  iframe_will_reload: () => undefined,
  web_app_ready: ({ change }) => change({ ready: true }),
  web_app_expand: ({ sendViewport }) => sendViewport(),
  web_app_close: ({ close }) => close(),
  web_app_request_theme: ({ sendTheme }) => sendTheme(),
  web_app_request_viewport: ({ sendViewport }) => sendViewport(),
  web_app_request_safe_area: ({ sendSafeAreas, state }) => sendSafeAreas(state.fullscreen),
  web_app_request_content_safe_area: ({ sendSafeAreas, state }) => sendSafeAreas(state.fullscreen),
  web_app_setup_back_button: ({ change }, data) =>
    change({ back: flag(data, "is_visible") ?? false }),
  web_app_setup_settings_button: ({ change }, data) =>
    change({ settings: flag(data, "is_visible") ?? false }),
  web_app_setup_closing_behavior: ({ change }, data) =>
    change({ confirmClose: flag(data, "need_confirmation") ?? false }),
  web_app_setup_main_button: ({ change }, data) =>
    change(({ main }) => ({ main: buttonFrom(data, main) })),
  web_app_setup_secondary_button: ({ change }, data) =>
    change(({ secondary }) => ({ secondary: buttonFrom(data, secondary) })),
  web_app_set_header_color: ({ change }, data) => {
    const header = colorFrom(data);
    if (header !== null) change({ header });
  },
  web_app_set_background_color: ({ change }, data) => {
    const background = colorFrom(data);
    if (background !== null) change({ background });
  },
  web_app_set_bottom_bar_color: ({ change }, data) => {
    const bottomBar = colorFrom(data);
    if (bottomBar !== null) change({ bottomBar });
  },
  web_app_request_fullscreen: ({ change, post, state, sendSafeAreas }) => {
    if (state.fullscreen) return post("fullscreen_failed", { error: "ALREADY_FULLSCREEN" });
    change({ fullscreen: true });
    post("fullscreen_changed", { is_fullscreen: true });
    sendSafeAreas(true);
  },
  web_app_exit_fullscreen: ({ change, post, sendSafeAreas }) => {
    change({ fullscreen: false });
    post("fullscreen_changed", { is_fullscreen: false });
    sendSafeAreas(false);
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
  web_app_open_popup: ({ change, post, state }, data) => {
    // One popup at a time: real clients ignore the second.
    if (state.popup !== null) return;
    change({
      popup: {
        title: text(data, "title") || undefined,
        message: text(data, "message") ?? "",
        buttons: popupButtonsFrom(data.buttons, miniAppCopy.popup),
        onChoice: (id) => {
          change({ popup: null });
          post("popup_closed", id === null ? {} : { button_id: id });
        },
      },
    });
  },
  web_app_open_invoice: openInvoice,
  web_app_read_text_from_clipboard: ({ post }, data) =>
    // Refused as on real clients: only apps of the attachment menu may read it.
    post("clipboard_text_received", { req_id: data.req_id, data: null }),
  web_app_request_write_access: askWriteAccess,
  web_app_request_phone: askPhone,
  web_app_invoke_custom_method: invokeCustomMethod,
  web_app_send_prepared_message: sendPrepared,
  web_app_data_send: ({ close }) => close(),
};

/** Messages of the bridge this phone does not know are ignored, as an old client would. */
export function answerBridge(context: BridgeContext, message: BridgeMessage): void {
  const handler = chrome[message.eventType] ?? leading[message.eventType];
  if (handler !== undefined) handler(context, fieldsOf(message.data));
  else refuseUnsupported(context.post, message.eventType, message.data);
}
