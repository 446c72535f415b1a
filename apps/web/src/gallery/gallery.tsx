import { useState } from "react";
import { Page } from "../kit/page.tsx";
import { Segmented } from "../kit/choices.tsx";
import { ToastPlace } from "../kit/toast.tsx";
import { ButtonParts } from "./buttons.tsx";
import { ContentParts } from "./content.tsx";
import { FieldParts } from "./fields.tsx";
import { GroundParts } from "./ground.tsx";
import { OverParts } from "./over.tsx";
import { words } from "./messages.fr.ts";

type ThemeName = "own" | "light" | "dark";

/** Its ground as Telegram for Android gives it by day and by night. */
const THEMES = {
  light: { bg_color: "#ffffff" },
  dark: { bg_color: "#1d2733" },
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

/** As Telegram says it; or, of the browser's own, nothing. */
function paint(name: ThemeName): void {
  if (name !== "own") return window.sesamePaint?.(THEMES[name]);
  sessionStorage.removeItem("sesame.scheme");
  delete document.documentElement.dataset.scheme;
}
