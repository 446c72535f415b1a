import { useEffect, useRef } from "react";
import type { EmulatorState } from "../../wire.ts";
import { IconButton, StatusBar } from "./parts/parts.tsx";
import css from "./phone.module.css";
import { usePhone } from "./phone-state.ts";
import { useEmulators } from "../emulators.ts";
import { browserCopy } from "./messages.fr.ts";

/** The phone's own browser, without Telegram's bridge. Telegram waits behind it. */
export function BrowserOverlay({ url }: { url: string }) {
  const { dispatch, act } = usePhone();
  const frame = useRef<HTMLIFrameElement>(null);
  const known = knownOrigins(useEmulators()).includes(new URL(url).origin);
  const close = () => dispatch({ browserUrl: null });
  useLinkToTelegram(frame, () => {
    close();
    void act("backToTelegram", {}).then((answer) => {
      const invoice = answer?.gives.invoice ?? null;
      if (invoice === null) return;
      dispatch({ sheet: { kind: "invoice", invoice, onClosed: null } });
    });
  });
  return (
    <section className={css.layer} aria-label={browserCopy.region}>
      <StatusBar />
      <div className={css.header}>
        <IconButton icon="back" label={browserCopy.close} onClick={close} />
        <b className={css.grow}>{browserCopy.telegram}</b>
      </div>
      {known ? (
        <iframe
          ref={frame}
          className={css.frame}
          title={browserCopy.frame}
          src={url}
          sandbox="allow-scripts allow-same-origin allow-forms allow-modals allow-downloads"
          allow="clipboard-write"
        />
      ) : (
        // An address out of these emulators: named, and left to the visitor.
        <p className={css.hero}>
          {browserCopy.outside}
          <a href={url} target="_blank" rel="noreferrer">
            {url}
          </a>
        </p>
      )}
    </section>
  );
}

/** What the phones can show in a frame: the app by all its addresses, and the emulators' pages. */
function knownOrigins(emulators: EmulatorState): string[] {
  const addresses = [
    emulators.appUrl,
    emulators.emulatorUrl,
    ...emulators.phones.map((one) => one.appOrigin),
  ];
  return [...new Set([location.origin, ...addresses.map((address) => new URL(address).origin)])];
}

/**
 * Lets the frames open no other origin. A link to t.me on a page in the phone's browser would lead
 * nowhere here; when the policy refuses it, the phone notices the tap (`useLinkToTelegram`).
 */
export function useFramePolicy(): void {
  const origins = knownOrigins(useEmulators()).join(" ");
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
 * A tap, inside this frame, on a link to Telegram. The browser reports only the origin: the phone
 * can come back to Telegram, and not follow the link.
 */
function useLinkToTelegram(frame: { current: HTMLIFrameElement | null }, onLink: () => void): void {
  useEffect(() => {
    const listener = (event: SecurityPolicyViolationEvent) => {
      const mine = document.activeElement === frame.current;
      if (mine && TELEGRAM.test(event.blockedURI)) onLink();
    };
    document.addEventListener("securitypolicyviolation", listener);
    return () => document.removeEventListener("securitypolicyviolation", listener);
  });
}
