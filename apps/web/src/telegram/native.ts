import type { OpensOnWire } from "@sesame/contract/checkout";
import { useEffect, useEffectEvent } from "react";
import type { Haptic } from "./bridge.ts";
import { readLaunch } from "./launch.ts";
import type { SellerBridge } from "./seller-bridge.ts";

// The sellers' screens reach Telegram only through this file. The bridge is loaded after the first
// paint, and only inside Telegram: earlier calls wait for it.

/** Resolves to null when the bridge could not be loaded. */
let bridge: Promise<SellerBridge | null> | null = null;
let onBack: (() => void) | null = null;
let onMain: (() => void) | null = null;

export function isInsideTelegram(): boolean {
  return readLaunch() !== null;
}

export function startNative(): void {
  if (bridge || !isInsideTelegram()) return;
  bridge = import("./seller-bridge.ts")
    .then(({ createSellerBridge }) => {
      const created = createSellerBridge();
      created.onBackButton(() => onBack?.());
      created.onMainButton(() => onMain?.());
      created.onViewport(clearCoveredBottom);
      created.ready();
      return created;
    })
    .catch((error: unknown) => {
      // Client-library errors only log (A §8).
      console.warn("telegram bridge", error);
      return null;
    });
}

/** `otherwise`: what a plain browser does in its place. */
function ask(run: (bridge: SellerBridge) => void, otherwise?: () => void): void {
  if (!bridge) return otherwise?.();
  void bridge.then((native) => (native ? run(native) : otherwise?.()));
}

/**
 * Old clients lay their main button over the page instead of shrinking it (the 56 px of A §2):
 * what stands at the bottom is lifted by what is covered.
 */
function clearCoveredBottom(height: number): void {
  const covered = Math.max(0, Math.round(window.innerHeight - height));
  document.documentElement.style.setProperty(
    "--covered-bottom",
    covered > 0 && covered <= 120 ? `${covered}px` : "0px",
  );
}

export function haptic(kind: Haptic): void {
  ask((native) => native.haptic(kind));
}

/** Opens a t.me address in Telegram; in a browser, in a new tab. */
export function openTelegramLink(url: string): void {
  ask(
    (native) => native.openTelegramLink(url),
    () => window.open(url, "_blank", "noopener"),
  );
}

/** Any page of the web, or one of the server's own by its path. */
export function openLink(page: string): void {
  const url = new URL(page, window.location.origin).href;
  ask(
    (native) => native.openLink(url),
    () => window.open(url, "_blank", "noopener"),
  );
}

/** Opens an address where it belongs: Telegram's in Telegram, any other in the browser. */
export function openAddress(url: string): void {
  const telegram = /^https:\/\/(t|telegram)\.(me|dog)\//.test(url);
  if (telegram) openTelegramLink(url);
  else openLink(url);
}

/** Opens a prepared payment. What an invoice reports at its end is not trusted: the page follows the order. */
export function openPayment(url: string, opens: OpensOnWire): void {
  // Crypto Pay's own page is in Telegram.
  if (opens !== "invoice") return openAddress(url);
  // Where Telegram cannot show an invoice in Stars, its link is opened instead.
  const otherwise = () => openTelegramLink(url);
  ask((native) => void native.openInvoice(url).then((end) => end ?? otherwise()), otherwise);
}

/** Telegram's own chooser of chats, with the link and a word. */
export function shareByTelegram(url: string, text: string): void {
  const share = new URL("https://t.me/share/url");
  share.search = `url=${encodeURIComponent(url)}&text=${encodeURIComponent(text)}`;
  openTelegramLink(share.href);
}

export function useBackButton(visible: boolean, onPress: () => void): void {
  const press = useEffectEvent(onPress);
  useEffect(() => {
    onBack = () => press();
    ask((native) => native.showBackButton(visible));
  }, [visible]);
}

/** The native button at the bottom, for as long as the screen is there. */
export function useMainButton(text: string, onPress: () => void): void {
  const press = useEffectEvent(onPress);
  useEffect(() => {
    onMain = () => press();
    ask((native) => native.showMainButton(text));
    return () => {
      onMain = null;
      ask((native) => native.showMainButton(null));
    };
  }, [text]);
}

/** Asks before the app is closed while something typed would be lost. */
export function useClosingConfirmation(needed: boolean): void {
  useEffect(() => {
    ask((native) => native.confirmClosing(needed));
    return () => ask((native) => native.confirmClosing(false));
  }, [needed]);
}
