import { useState } from "react";
import { Page } from "../kit/page.tsx";
import { Segmented } from "../kit/segmented.tsx";
import { ToastPlace } from "../kit/toast.tsx";
import { ButtonParts } from "./buttons.tsx";
import { ContentParts } from "./content.tsx";
import { FieldParts } from "./fields.tsx";
import { GroundParts } from "./ground.tsx";
import { OverParts } from "./over.tsx";
import { words } from "./messages.fr.ts";

type ThemeName = "own" | "light" | "dark";

/** Colours as Telegram for Android gives them by day and by night. */
const THEMES = {
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

/** All components in all their states: what the eye checks, and what the pictures compare. */
export function Gallery() {
  return (
    <Page title={words.title} subtitle={words.subtitle}>
      <Switches />
      <GroundParts />
      <ButtonParts />
      <ContentParts />
      <FieldParts />
      <OverParts />
      <ToastPlace />
    </Page>
  );
}

function Switches() {
  const [theme, setTheme] = useState<ThemeName>("own");
  const [size, setSize] = useState("100%");
  const { appearance, textSize } = words;
  return (
    <>
      <Segmented
        label={appearance.label}
        value={theme}
        segments={[
          { value: "own", label: appearance.own },
          { value: "light", label: appearance.light },
          { value: "dark", label: appearance.dark },
        ]}
        onChange={(name) => {
          setTheme(name);
          paint(name);
        }}
      />
      <Segmented
        label={textSize.label}
        value={size}
        segments={[
          { value: "100%", label: textSize.usual },
          { value: "150%", label: textSize.larger },
          { value: "200%", label: textSize.largest },
        ]}
        onChange={(value) => {
          setSize(value);
          document.documentElement.style.fontSize = value;
        }}
      />
    </>
  );
}

/** As Telegram says its colours; or, of the browser's own, nothing. */
function paint(name: ThemeName): void {
  const root = document.documentElement;
  if (name !== "own") return window.sesamePaint?.(THEMES[name]);
  sessionStorage.removeItem("sesame.theme");
  root.removeAttribute("style");
  delete root.dataset.scheme;
}
