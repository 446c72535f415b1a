import type { ThemeParams } from "../phone/theme.ts";
import { type Fields, flag, text } from "./fields.ts";

export type BottomButton = {
  visible: boolean;
  active: boolean;
  progress: boolean;
  text: string;
};

export type Popup = {
  message: string;
  buttons: { id: string; text: string; tone: "default" | "destructive" }[];
  onChoice: (id: string | null) => void;
};

export type AppState = {
  ready: boolean;
  back: boolean;
  confirmClose: boolean;
  main: BottomButton;
  /** A colour of the theme by its key, so that it follows the theme. */
  header: keyof ThemeParams;
  popup: Popup | null;
};

/** A part of the new state, or how to find it from the one before. */
export type Change = (part: Partial<AppState> | ((before: AppState) => Partial<AppState>)) => void;

const HIDDEN_BUTTON: BottomButton = {
  visible: false,
  active: true,
  progress: false,
  text: "",
};

export const FIRST_APP_STATE: AppState = {
  ready: false,
  back: false,
  confirmClose: false,
  main: HIDDEN_BUTTON,
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
