import { expect, test, vi } from "vitest";

/** As the page's inline script: each time anew. */
async function run(): Promise<void> {
  vi.resetModules();
  await vi.importActual("./before-paint.js");
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

test.each([
  ["Telegram's light", "light"],
  ["Telegram's night", "dark"],
  ["a person's pastel", "light"],
])("with %s theme the page is %s", async (name, scheme) => {
  location.hash = `#tgWebAppThemeParams=${encodeURIComponent(JSON.stringify(THEMES[name]))}`;
  await run();
  expect(document.documentElement.dataset["scheme"]).toBe(scheme);
});

test("the theme survives a reload without the fragment, and follows a change", async () => {
  location.hash = `#tgWebAppThemeParams=${encodeURIComponent(JSON.stringify(THEMES["Telegram's night"]))}`;
  await run();
  location.hash = "";
  delete document.documentElement.dataset["scheme"];
  await run();
  expect(document.documentElement.dataset["scheme"]).toBe("dark");
  window.sesamePaint?.({ bg_color: "#ffffff" });
  expect(document.documentElement.dataset["scheme"]).toBe("light");
});

test("nonsense in the fragment leaves light and dark to the phone", async () => {
  location.hash = "#tgWebAppThemeParams=%7Bnot-json";
  await run();
  expect(document.documentElement.dataset["scheme"]).toBeUndefined();
});

test("a key in the address is taken out of it, and nothing else is", async () => {
  history.replaceState(null, "", "/IndexPaiement?id=fedapay&key=sk_live_secret#tgWebAppData=x");
  await run();
  expect(location.pathname + location.search + location.hash).toBe(
    "/IndexPaiement?id=fedapay#tgWebAppData=x",
  );
});
