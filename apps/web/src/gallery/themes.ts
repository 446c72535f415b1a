export type ThemeName = "own" | "light" | "dark";

/** Colours as Telegram for Android gives them by day and by night. */
export const THEMES = {
  light: {
    bg_color: "#ffffff",
    secondary_bg_color: "#f0f0f0",
    section_bg_color: "#ffffff",
    text_color: "#222222",
    hint_color: "#a8a8a8",
    link_color: "#2678b6",
    accent_text_color: "#1c93e3",
    button_color: "#50a8eb",
    button_text_color: "#ffffff",
    destructive_text_color: "#cc2929",
  },
  dark: {
    bg_color: "#1d2733",
    secondary_bg_color: "#151e27",
    section_bg_color: "#1d2733",
    text_color: "#ffffff",
    hint_color: "#7d8b99",
    link_color: "#5eabe1",
    accent_text_color: "#64b5ef",
    button_color: "#50a8eb",
    button_text_color: "#ffffff",
    destructive_text_color: "#ee686f",
  },
} as const satisfies Record<Exclude<ThemeName, "own">, Record<string, string>>;
