import type { OpensOnWire } from "@sesame/contract/checkout";
import { useEffect, useEffectEvent, useState } from "react";
import type { Bridge } from "../telegram/bridge.ts";
import { openSheet } from "../features/checkout/sheet.tsx";
import { readLaunch } from "../telegram/launch.ts";

let loading: Promise<Bridge> | null = null;

/** Loads the bridge once, only inside Telegram; null when it cannot be had. */
async function loadBridge(): Promise<Bridge | null> {
  if (!readLaunch()) return null;
  loading ??= import("../telegram/bridge.ts").then(({ createBridge }) => {
    const bridge = createBridge();
    bridge.ready();
    return bridge;
  });
  try {
    return await loading;
  } catch {
    // The chunk could not be fetched: the next call tries again.
    loading = null;
    return null;
  }
}

/**
 * Null on the server, outside Telegram, and until it is loaded. `back`: what Telegram's back button does, once
 * no sheet is open; null: there is no button.
 */
export function useBridge(back: (() => void) | null = null): Bridge | null {
  const [bridge, setBridge] = useState<Bridge | null>(null);
  useEffect(() => {
    void loadBridge().then(setBridge);
  }, []);
  const goBack = useEffectEvent(() => {
    const sheet = openSheet();
    if (sheet) sheet.close();
    else back?.();
  });
  const shown = back !== null;
  useEffect(() => {
    if (!bridge || !shown) return;
    return bridge.backButton(() => goBack());
  }, [bridge, shown]);
  return bridge;
}

const TELEGRAM = /^https:\/\/(t|telegram)\.(me|dog)\//;

/**
 * Opens a payment by what it is: an invoice in Stars over the app, another bot's page in Telegram,
 * any other page in the phone's browser. What an invoice reports when it closes is not trusted: the
 * order is read again. Waits for the bridge: without it the address would replace the mini app.
 */
export async function openPaymentPage(opens: OpensOnWire | null, url: string): Promise<void> {
  const bridge = await loadBridge();
  if (opens === "invoice" && bridge && (await bridge.openInvoice(url)) !== null) return;
  if (opens === "invoice" || TELEGRAM.test(url)) return openInTelegram(url);
  if (bridge) bridge.openLink(url);
  else window.location.assign(url);
}

export async function openInTelegram(url: string): Promise<void> {
  const bridge = await loadBridge();
  if (bridge) bridge.openTelegramLink(url);
  else window.location.assign(url);
}
