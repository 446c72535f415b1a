import type { CSSProperties } from "react";

export type Scheme = "light" | "dark";

/** The colours Telegram hands to a mini app, by the names of the bridge. */
export type ThemeParams = Record<
  | "bg_color"
  | "text_color"
  | "hint_color"
  | "link_color"
  | "button_color"
  | "button_text_color"
  | "secondary_bg_color"
  | "header_bg_color"
  | "bottom_bar_bg_color"
  | "accent_text_color"
  | "section_bg_color"
  | "section_header_text_color"
  | "section_separator_color"
  | "subtitle_text_color"
  | "destructive_text_color",
  string
>;

export const THEMES: Record<Scheme, ThemeParams> = {
  light: {
    bg_color: "#ffffff",
    text_color: "#000000",
    hint_color: "#666b70",
    link_color: "#2678b6",
    button_color: "#1f74b8",
    button_text_color: "#ffffff",
    secondary_bg_color: "#f0f2f5",
    header_bg_color: "#ffffff",
    bottom_bar_bg_color: "#ffffff",
    accent_text_color: "#1f7bc1",
    section_bg_color: "#ffffff",
    section_header_text_color: "#2678b6",
    section_separator_color: "#dfe3e8",
    subtitle_text_color: "#666b70",
    destructive_text_color: "#d03a3a",
  },
  dark: {
    bg_color: "#17212b",
    text_color: "#f5f5f5",
    hint_color: "#8a9bab",
    link_color: "#6ab3f3",
    button_color: "#3f79b5",
    button_text_color: "#ffffff",
    secondary_bg_color: "#0f1821",
    header_bg_color: "#17212b",
    bottom_bar_bg_color: "#17212b",
    accent_text_color: "#6ab2f2",
    section_bg_color: "#17212b",
    section_header_text_color: "#6ab3f3",
    section_separator_color: "#0c131a",
    subtitle_text_color: "#8a9bab",
    destructive_text_color: "#ec6a6f",
  },
};

const OWN: Record<Scheme, Record<string, string>> = {
  light: {
    "--bubble-in": "#ffffff",
    "--bubble-out": "#e3f7cf",
    "--bubble-meta": "#66757f",
    "--bubble-out-meta": "#4b8a3a",
    "--wall-1": "#c9dcc4",
    "--wall-2": "#dfe3c0",
    "--wall-3": "#a9cfc0",
    "--pill": "rgb(40 70 55 / 0.42)",
    "--keyboard": "rgb(50 85 70 / 0.48)",
    "--keyboard-text": "#ffffff",
    "--separator": "#e4e7eb",
    "--press": "rgb(0 0 0 / 0.06)",
    "--positive": "#2a8c3f",
  },
  dark: {
    "--bubble-in": "#1d2a37",
    "--bubble-out": "#2f5f8c",
    "--bubble-meta": "#8fa1b1",
    "--bubble-out-meta": "#b5d0ea",
    "--wall-1": "#10202a",
    "--wall-2": "#0c1a22",
    "--wall-3": "#15282f",
    "--pill": "rgb(0 0 0 / 0.4)",
    "--keyboard": "rgb(40 62 82 / 0.9)",
    "--keyboard-text": "#ffffff",
    "--separator": "#0e161e",
    "--press": "rgb(255 255 255 / 0.07)",
    "--positive": "#5fcf7a",
  },
};

/** The phone's own paint, from the same colours as its mini apps. */
export function phoneStyle(scheme: Scheme): CSSProperties {
  const theme = THEMES[scheme];
  return {
    ...OWN[scheme],
    "--bg": theme.bg_color,
    "--text": theme.text_color,
    "--hint": theme.hint_color,
    "--link": theme.link_color,
    "--button": theme.button_color,
    "--button-text": theme.button_text_color,
    "--secondary": theme.secondary_bg_color,
    "--accent": theme.accent_text_color,
    "--danger": theme.destructive_text_color,
    colorScheme: scheme,
  } as CSSProperties;
}

/** Whether black or white reads better on this colour: for the status bar over an app's header. */
export function isDarkColor(hex: string): boolean {
  const value = /^#([0-9a-f]{6})$/i.exec(hex)?.[1];
  if (value === undefined) return false;
  const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(value.slice(at, at + 2), 16));
  return 0.299 * (red ?? 0) + 0.587 * (green ?? 0) + 0.114 * (blue ?? 0) < 140;
}
