import { createBridge } from "./bridge.ts";
import { isAtLeast, onEvent, postEvent } from "./events.ts";
import { readLaunch } from "./launch.ts";

/** Colours of kit/tokens.css, for what Telegram draws around the page and over it. */
const PAPER = { light: "#faf6ee", dark: "#0c1614" } as const;
const FILLED = { color: "#0a6b58", text_color: "#ffffff" } as const;

export type SellerBridge = ReturnType<typeof createSellerBridge>;

/** What the sellers' pages ask of Telegram, beyond what the buyers' pages do. */
export function createSellerBridge() {
  const bridge = createBridge();
  const version = readLaunch()?.version ?? "6.0";
  const unlessRepeated = rememberStates();
  if (isAtLeast(version, "7.7")) {
    // A pull on a list refreshes it; it must not close the app.
    postEvent("web_app_setup_swipe_behavior", { allow_vertical_swipe: false });
  }
  const paintAround = () => {
    const color = PAPER[document.documentElement.dataset["scheme"] === "dark" ? "dark" : "light"];
    if (isAtLeast(version, "6.9")) postEvent("web_app_set_header_color", { color });
    if (isAtLeast(version, "6.1")) postEvent("web_app_set_background_color", { color });
  };
  paintAround();
  onEvent("theme_changed", paintAround);
  return {
    ...bridge,
    showBackButton(visible: boolean) {
      unlessRepeated("back", visible, () =>
        postEvent("web_app_setup_back_button", { is_visible: visible }),
      );
    },
    onBackButton: (run: () => void) => void onEvent("back_button_pressed", run),
    /** Null hides it. */
    showMainButton(text: string | null) {
      const button = { is_active: true, is_progress_visible: false, text, ...FILLED };
      unlessRepeated("main", text, () =>
        postEvent("web_app_setup_main_button", {
          is_visible: text !== null,
          ...(text === null ? {} : button),
        }),
      );
    },
    onMainButton: (run: () => void) => void onEvent("main_button_pressed", run),
    confirmClosing(needed: boolean) {
      if (!isAtLeast(version, "6.2")) return;
      unlessRepeated("closing", needed, () =>
        postEvent("web_app_setup_closing_behavior", { need_confirmation: needed }),
      );
    },
    onViewport: (run: (height: number) => void) =>
      void onEvent("viewport_changed", ({ height, is_state_stable: stable }) => {
        if (stable === true && typeof height === "number") run(height);
      }),
  };
}

/** Clients redraw at every message: an unchanged state is not sent again. */
function rememberStates() {
  const said = new Map<string, boolean | string | null>();
  return (name: string, state: boolean | string | null, say: () => void) => {
    if (said.get(name) === state) return;
    said.set(name, state);
    say();
  };
}
