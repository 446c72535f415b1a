import { isAtLeast, nextEvent, onEvent, postEvent } from "./events.ts";
import { readLaunch } from "./launch.ts";

export type Haptic = "light" | "success" | "error" | "warning" | "selection";

type InvoiceEnd = "paid" | "cancelled" | "failed" | "pending";

const WRITE_ACCESS_TIMEOUT_MS = 60_000;
/** An invoice may stay open while the person looks for a card. */
const INVOICE_TIMEOUT_MS = 30 * 60_000;

export type Bridge = ReturnType<typeof createBridge>;

/** What pages ask of Telegram. Loaded lazily, and only inside Telegram. */
export function createBridge() {
  const version = readLaunch()?.version ?? "6.0";
  onEvent("theme_changed", ({ theme_params: theme }) => window.sesamePaint?.(theme));
  return {
    ready() {
      onEvent("reload_iframe", () => {
        postEvent("iframe_will_reload");
        window.location.reload();
      });
      postEvent("iframe_ready", { reload_supported: true });
      postEvent("web_app_ready");
      postEvent("web_app_expand");
    },
    /** Opens an address in the browser of the phone; the mini app stays. */
    openLink: (url: string) => postEvent("web_app_open_link", { url }),
    /** Opens a t.me link in Telegram itself. */
    openTelegramLink(url: string) {
      const { pathname, search } = new URL(url);
      postEvent("web_app_open_tg_link", { path_full: pathname + search });
    },
    /** Shows an invoice in Stars over the app. → how it ended, as a report; null: it could not open. */
    async openInvoice(url: string): Promise<InvoiceEnd | null> {
      // t.me/$slug or t.me/invoice/slug.
      const path = decodeURIComponent(new URL(url).pathname);
      const slug = /^\/(?:\$|invoice\/)([A-Za-z0-9_-]+)$/.exec(path)?.[1];
      if (!slug || !isAtLeast(version, "6.1")) return null;
      const closed = nextEvent("invoice_closed", INVOICE_TIMEOUT_MS);
      postEvent("web_app_open_invoice", { slug });
      const status = (await closed)?.["status"];
      return INVOICE_ENDS.find((end) => end === status) ?? "pending";
    },
    haptic(kind: Haptic) {
      if (!isAtLeast(version, "6.1")) return;
      const notice = { type: "notification", notification_type: kind };
      postEvent("web_app_trigger_haptic_feedback", TOUCHES[kind] ?? notice);
    },
    /** Shows the native back button; returns how to hide it. */
    backButton(onPress: () => void) {
      const off = onEvent("back_button_pressed", onPress);
      postEvent("web_app_setup_back_button", { is_visible: true });
      return () => {
        off();
        postEvent("web_app_setup_back_button", { is_visible: false });
      };
    },
    /** Asks the person whether the bot may write. True once allowed. */
    async requestWriteAccess() {
      if (!isAtLeast(version, "6.9")) return false;
      const answer = nextEvent("write_access_requested", WRITE_ACCESS_TIMEOUT_MS);
      postEvent("web_app_request_write_access");
      return (await answer)?.["status"] === "allowed";
    },
  };
}

const TOUCHES: Readonly<Partial<Record<Haptic, Readonly<Record<string, string>>>>> = {
  selection: { type: "selection_change" },
  light: { type: "impact", impact_style: "light" },
};
const INVOICE_ENDS: readonly InvoiceEnd[] = ["paid", "cancelled", "failed", "pending"];
