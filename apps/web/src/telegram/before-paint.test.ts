import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

/** As the page's inline script: each time anew. */
async function run(): Promise<void> {
  vi.resetModules();
  await vi.importActual("./before-paint.js");
}

function color(name: string): string {
  return document.documentElement.style.getPropertyValue(`--${name}`);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** As `color-mix` does for the soft colours. */
function mixed(ground: string, over: string, part: number): string {
  const channel = (hex: string, at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  const parts = [1, 3, 5].map((at) =>
    Math.round(channel(ground, at) * (1 - part) + channel(over, at) * part),
  );
  return `#${parts.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const THEMES: Record<string, Record<string, string>> = {
  "Telegram's light": {
    bg_color: "#ffffff",
    secondary_bg_color: "#efeff4",
    text_color: "#000000",
    hint_color: "#999999",
    link_color: "#2481cc",
    button_color: "#3390ec",
    button_text_color: "#ffffff",
    destructive_text_color: "#ff3b30",
  },
  "Telegram's night": {
    bg_color: "#17212b",
    secondary_bg_color: "#232e3c",
    text_color: "#f5f5f5",
    hint_color: "#708499",
    link_color: "#6ab3f3",
    button_color: "#5288c1",
    button_text_color: "#ffffff",
    destructive_text_color: "#ec3942",
  },
  "a person's pastel": {
    bg_color: "#fdf6e3",
    text_color: "#c9b98f",
    hint_color: "#eee0c0",
    link_color: "#ffd54f",
    button_color: "#ffe082",
    button_text_color: "#fff8e1",
  },
};

beforeEach(() => {
  sessionStorage.clear();
  document.documentElement.removeAttribute("style");
});
afterEach(() => {
  location.hash = "";
});

describe.each(Object.entries(THEMES))("with %s theme", (_name, theme) => {
  test("and on the soft grounds made of its own colour", async () => {
    location.hash = `#tgWebAppThemeParams=${encodeURIComponent(JSON.stringify(theme))}`;
    await run();
    for (const text of ["link", "accent", "danger", "positive", "warning"]) {
      for (const ground of ["bg", "surface"]) {
        const soft = mixed(color(ground), color(text), 0.11);
        expect(contrast(color(text), soft), `${text} on ${ground}`).toBeGreaterThan(4.5);
      }
    }
    for (const ground of ["bg", "surface"]) {
      const chosen = mixed(color(ground), color("accent"), 0.11);
      expect(contrast(color("hint"), chosen), `hint on ${ground}`).toBeGreaterThan(4.5);
    }
  });

  test("every text keeps 4.5:1 on the page and on its cards", async () => {
    location.hash = `#tgWebAppThemeParams=${encodeURIComponent(JSON.stringify(theme))}`;
    await run();
    for (const text of ["text", "hint", "link", "accent", "danger"]) {
      for (const ground of ["bg", "surface"]) {
        expect(contrast(color(text), color(ground)), `${text} on ${ground}`).toBeGreaterThan(4.5);
      }
    }
    expect(contrast(color("button"), color("button-text"))).toBeGreaterThan(4.5);
  });
});

test("the theme survives a reload without the fragment, and follows a change", async () => {
  location.hash = `#tgWebAppThemeParams=${encodeURIComponent(JSON.stringify(THEMES["Telegram's night"]))}`;
  await run();
  location.hash = "";
  document.documentElement.removeAttribute("style");
  await run();
  expect(document.documentElement.dataset["scheme"]).toBe("dark");
  window.sesamePaint?.({ bg_color: "#ffffff" });
  expect(document.documentElement.dataset["scheme"]).toBe("light");
});

test("nonsense in the fragment leaves the page with its own colours", async () => {
  location.hash = "#tgWebAppThemeParams=%7Bnot-json";
  await run();
  expect(color("bg")).toBe("");
});

test("a key in the address is taken out of it, and nothing else is", async () => {
  const before = location.href;
  history.replaceState(null, "", "/IndexPaiement?id=fedapay&key=sk_live_secret#tgWebAppData=x");
  await run();
  expect(location.pathname + location.search + location.hash).toBe(
    "/IndexPaiement?id=fedapay#tgWebAppData=x",
  );
  history.replaceState(null, "", before);
});
