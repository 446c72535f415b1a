import { type Fields, fieldsOf, flag, text } from "./fields.ts";

export type BottomButton = {
  visible: boolean;
  active: boolean;
  progress: boolean;
  text: string;
  color: string | null;
  textColor: string | null;
  shine: boolean;
  position: "left" | "right" | "top" | "bottom";
};

export type Popup = {
  title: string | undefined;
  message: string;
  buttons: { id: string; text: string; tone: "default" | "destructive" }[];
  onChoice: (id: string | null) => void;
};

/** A colour of the theme by its key, so that it follows the theme, or the app's own. */
export type AppColor = { key: string } | { hex: string };

export type AppState = {
  ready: boolean;
  fullscreen: boolean;
  back: boolean;
  settings: boolean;
  confirmClose: boolean;
  main: BottomButton;
  secondary: BottomButton;
  header: AppColor;
  background: AppColor;
  bottomBar: AppColor;
  popup: Popup | null;
};

/** A part of the new state, or how to find it from the one before. */
export type Change = (part: Partial<AppState> | ((before: AppState) => Partial<AppState>)) => void;

const HIDDEN_BUTTON: BottomButton = {
  visible: false,
  active: true,
  progress: false,
  text: "",
  color: null,
  textColor: null,
  shine: false,
  position: "left",
};

export const FIRST_APP_STATE: AppState = {
  ready: false,
  fullscreen: false,
  back: false,
  settings: false,
  confirmClose: false,
  main: HIDDEN_BUTTON,
  secondary: HIDDEN_BUTTON,
  header: { key: "bg_color" },
  background: { key: "bg_color" },
  bottomBar: { key: "bottom_bar_bg_color" },
  popup: null,
};

export const HEX = /^#[0-9a-f]{6}$/i;

export function colorFrom(fields: Fields): AppColor | null {
  const hex = text(fields, "color");
  if (hex !== undefined && HEX.test(hex)) return { hex };
  const key = text(fields, "color_key");
  return key === undefined ? null : { key };
}

function positionFrom(value: string | undefined, before: BottomButton["position"]) {
  switch (value) {
    case "left":
    case "right":
    case "top":
    case "bottom":
      return value;
    default:
      return before;
  }
}

/** A field left out keeps its value, as on real clients; `{is_visible:false}` only hides. */
export function buttonFrom(fields: Fields, before: BottomButton): BottomButton {
  const visible = flag(fields, "is_visible") ?? before.visible;
  const words = (text(fields, "text") ?? before.text).trim();
  return {
    visible: visible && words !== "",
    active: flag(fields, "is_active") ?? before.active,
    progress: flag(fields, "is_progress_visible") ?? before.progress,
    text: words,
    color: text(fields, "color") ?? before.color,
    textColor: text(fields, "text_color") ?? before.textColor,
    shine: flag(fields, "has_shine_effect") ?? before.shine,
    position: positionFrom(text(fields, "position"), before.position),
  };
}

export type PopupWords = { ok: string; close: string; cancel: string };

export function popupButtonsFrom(value: unknown, words: PopupWords): Popup["buttons"] {
  const given = Array.isArray(value) ? value.slice(0, 3).map(fieldsOf) : [];
  const buttons = given.map((fields, at) => {
    const type = text(fields, "type") ?? "default";
    const fixed = type === "ok" || type === "close" || type === "cancel" ? words[type] : undefined;
    return {
      id: text(fields, "id") ?? String(at),
      text: fixed ?? text(fields, "text") ?? words.ok,
      tone: type === "destructive" ? ("destructive" as const) : ("default" as const),
    };
  });
  return buttons.length > 0 ? buttons : [{ id: "", text: words.close, tone: "default" }];
}
