import type { PublicProductOnWire, PublicShopOnWire } from "@sesame/contract/catalogue";
import type { PaymentProviderOnWire } from "@sesame/contract/checkout";
import type { AnswerOf } from "@sesame/contract/routes";
import { ask } from "../lib/request.ts";

/** The screen that the server renders and the phone continues. */
export type BuyerView =
  | {
      readonly at: "product";
      readonly product: PublicProductOnWire;
      /** Opened on the choice of a payment (decision 42). */
      readonly paying?: boolean;
      /** The access that a payment prolongs, in words; absent when none is known. */
      readonly renews?: string;
    }
  | { readonly at: "missing" }
  /** All that a seller has on sale (decision 43). */
  | { readonly at: "shop"; readonly shop: PublicShopOnWire }
  | { readonly at: "missing-shop" }
  /** An order seen with its secret, in any browser. */
  | {
      readonly at: "return";
      readonly secret: string;
      readonly order: AnswerOf<"GET /api/orders/by-secret/:secret">;
    }
  /** An order seen by its buyer, inside Telegram. */
  | { readonly at: "order"; readonly orderId: string }
  /** The same by an identifier of a payment, ours or the provider's; null: the address has none. */
  | { readonly at: "named"; readonly name: string | null }
  | { readonly at: "accesses" };

export type BuyerPage = {
  readonly view: BuyerView;
  /** Username of the buyers' bot, without @; null until Telegram has answered it. */
  readonly botUsername: string | null;
  readonly botAppName: string | null;
  /** The open providers; the product lists those it accepts. */
  readonly providers: readonly PaymentProviderOnWire[];
};

/** Where a view stands: its page, and the ways to the next view and back. */
export type Place = {
  readonly page: BuyerPage;
  readonly back: (() => void) | null;
  go(view: BuyerView): void;
};

/** The link that opens the product in Telegram (WIRE §3). */
export function telegramLink(page: BuyerPage, reference: string): string | null {
  if (!page.botUsername) return null;
  const app = page.botAppName ? `/${page.botAppName}` : "";
  return `https://t.me/${page.botUsername}${app}?startapp=${encodeURIComponent(reference)}`;
}

export function productPath(reference: string): string {
  return `/?${new URLSearchParams({ tgWebAppStartParam: reference })}`;
}

/** As a `ref`: what appears in place of the button that was pressed, or must be read before it is pressed again. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}

let asked = 0;

/**
 * The product in place of the view, with a way back; its own page says why when it cannot be read. The last
 * tap counts. `renewal`: what a payment for so many minutes prolongs, in words.
 */
export function showProduct(
  go: Place["go"],
  reference: string,
  renewal?: (minutes: number) => string,
): void {
  const mine = ++asked;
  ask("GET /api/public/products/:reference", { params: { reference } }).then(
    (answer) => {
      if (mine !== asked) return;
      const product = answer as PublicProductOnWire;
      go({ at: "product", product, ...(renewal ? { renews: renewal(product.duration) } : {}) });
      window.scrollTo(0, 0);
    },
    () => openProduct(reference),
  );
}

/** The product's page is server-rendered: a plain navigation, keeping Telegram's fragment. */
export function openProduct(reference: string): void {
  const path = productPath(reference);
  // For the same address with another fragment the browser would only scroll.
  if (location.pathname + location.search === path) location.reload();
  else location.assign(path + location.hash);
}
