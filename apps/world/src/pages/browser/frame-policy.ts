import { useEffect } from "react";
import type { WorldState } from "../../wire.ts";
import { useWorld } from "../world/store.ts";

/** What the phones can show in a frame: the app by all its addresses, and the world's pages. */
function knownOrigins(world: WorldState): string[] {
  const addresses = [world.appUrl, world.worldUrl, ...world.phones.map((one) => one.appOrigin)];
  return [...new Set([location.origin, ...addresses.map((address) => new URL(address).origin)])];
}

export function useIsKnown(url: string): boolean {
  return knownOrigins(useWorld()).includes(new URL(url).origin);
}

/**
 * Forbids the frames any other origin. A link to t.me on a page in the phone's browser would lead
 * nowhere here; refused by the policy, it can at least be noticed (`useLinkToTelegram`).
 */
export function useFramePolicy(): void {
  const origins = knownOrigins(useWorld()).join(" ");
  useEffect(() => {
    // Policies add up and cannot be taken back: the first one stays.
    if (document.head.querySelector("meta[data-frame-policy]") !== null) return;
    const meta = document.createElement("meta");
    meta.httpEquiv = "Content-Security-Policy";
    meta.content = `frame-src ${origins}`;
    meta.dataset.framePolicy = "";
    document.head.append(meta);
  }, [origins]);
}

const TELEGRAM = /^https:\/\/(t\.me|telegram\.me|telegram\.dog)(\/|$)/;

/**
 * A tap, inside this frame, on a link to Telegram. The browser tells its origin alone, so that
 * the phone can come back to Telegram, not follow the link.
 */
export function useLinkToTelegram(
  frame: { current: HTMLIFrameElement | null },
  onLink: () => void,
): void {
  useEffect(() => {
    const listener = (event: SecurityPolicyViolationEvent) => {
      const mine = document.activeElement === frame.current;
      if (mine && TELEGRAM.test(event.blockedURI)) onLink();
    };
    document.addEventListener("securitypolicyviolation", listener);
    return () => document.removeEventListener("securitypolicyviolation", listener);
  });
}
