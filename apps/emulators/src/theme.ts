/** The colours Telegram hands to a mini app, by the names of the bridge: light, dark. */
const COLOURS = {
  bg_color: ["#ffffff", "#17212b"],
  text_color: ["#000000", "#f5f5f5"],
  hint_color: ["#666b70", "#8a9bab"],
  link_color: ["#2678b6", "#6ab3f3"],
  button_color: ["#1f74b8", "#3f79b5"],
  button_text_color: ["#ffffff", "#ffffff"],
  secondary_bg_color: ["#f0f2f5", "#0f1821"],
  header_bg_color: ["#ffffff", "#17212b"],
  bottom_bar_bg_color: ["#ffffff", "#17212b"],
  accent_text_color: ["#1f7bc1", "#6ab2f2"],
  section_bg_color: ["#ffffff", "#17212b"],
  section_header_text_color: ["#2678b6", "#6ab3f3"],
  section_separator_color: ["#dfe3e8", "#0c131a"],
  subtitle_text_color: ["#666b70", "#8a9bab"],
  destructive_text_color: ["#d03a3a", "#ec6a6f"],
} as const;

export type Scheme = "light" | "dark";

const pick = (at: 0 | 1) =>
  Object.fromEntries(Object.entries(COLOURS).map(([name, pair]) => [name, pair[at]]));

export const THEMES: Record<Scheme, Record<string, string>> = { light: pick(0), dark: pick(1) };
