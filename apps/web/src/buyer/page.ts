import type { PublicProductOnWire, PublicShopOnWire } from "@sesame/contract/catalogue";
import type { PaymentProviderOnWire } from "@sesame/contract/checkout";
import type { AnswerOf } from "@sesame/contract/routes";

/** What the server renders and the phone takes over: one union says where the buyer is. */
export type BuyerView =
  | {
      readonly at: "product";
      readonly product: PublicProductOnWire;
      /** Opened on the choice of a payment (decision 42). */
      readonly paying?: boolean;
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
  /** The same by a payment's name, ours or the provider's; null: the address names none. */
  | { readonly at: "named"; readonly name: string | null }
  | { readonly at: "accesses" };

export type BuyerPage = {
  readonly view: BuyerView;
  /** Username of the buyers' bot, without @; null while Telegram has not told it. */
  readonly botUsername: string | null;
  readonly botAppName: string | null;
  /** The open ones; the product names those it takes. */
  readonly providers: readonly PaymentProviderOnWire[];
};

/** The link that opens the product in Telegram (WIRE §3). */
export function telegramLink(page: BuyerPage, reference: string): string | null {
  if (!page.botUsername) return null;
  const app = page.botAppName ? `/${page.botAppName}` : "";
  return `https://t.me/${page.botUsername}${app}?startapp=${encodeURIComponent(reference)}`;
}

export function botLink(page: BuyerPage): string | null {
  return page.botUsername ? `https://t.me/${page.botUsername}` : null;
}

/** The product's page is server-rendered: a plain navigation, keeping Telegram's fragment. */
export function openProduct(reference: string): void {
  const path = `/?${new URLSearchParams({ tgWebAppStartParam: reference })}`;
  // The same address with a fragment would only be scrolled to.
  if (location.pathname + location.search === path) location.reload();
  else location.assign(path + location.hash);
}
