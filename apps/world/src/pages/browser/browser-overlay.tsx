import { useEffect, useRef, useState } from "react";
import { Icon } from "../phone/parts/icon.tsx";
import { usePhone } from "../phone/phone-context.ts";
import { StatusBar } from "../phone/status-bar.tsx";
import css from "./browser.module.css";
import { browserCopy } from "./copy.fr.ts";
import { useIsKnown, useLinkToTelegram } from "./frame-policy.ts";
import { readNavigation } from "./navigation.ts";

/** The phone's own browser: it knows nothing of the bridge. Behind it Telegram waits. */
export function BrowserOverlay({ url }: { url: string }) {
  const { dispatch, act } = usePhone();
  const frame = useRef<HTMLIFrameElement>(null);
  const [shown, setShown] = useState(url);

  useEffect(() => {
    // A page of another origin hides where it went; ours says where it sends the reader.
    const listener = (event: MessageEvent<unknown>) => {
      if (event.source !== frame.current?.contentWindow) return;
      const next = readNavigation(event);
      if (next !== null) setShown(next);
    };
    addEventListener("message", listener);
    return () => removeEventListener("message", listener);
  }, []);

  const { host, protocol } = new URL(shown);
  const known = useIsKnown(url);
  const close = () => dispatch({ type: "browser", url: null });
  useLinkToTelegram(frame, () => {
    close();
    void act("backToTelegram", {}).then((answer) => {
      const invoice = answer?.gives.invoice ?? null;
      if (invoice === null) return;
      dispatch({ type: "sheet", sheet: { kind: "invoice", invoice, onClosed: null } });
    });
  });
  return (
    <section className={css.layer} aria-label={browserCopy.region}>
      <StatusBar />
      <div className={css.bar}>
        <button type="button" className={css.back} aria-label={browserCopy.close} onClick={close}>
          <Icon name="back" size={20} />
          <span>{browserCopy.telegram}</span>
        </button>
        <p className={css.address} title={shown}>
          <Icon name={protocol === "https:" ? "lock" : "globe"} size={14} />
          <span>{host}</span>
        </p>
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
        <Outside url={url} />
      )}
    </section>
  );
}

/** An address out of this world: named, and left to the visitor. */
function Outside({ url }: { url: string }) {
  return (
    <div className={css.outside}>
      <p>{browserCopy.outside}</p>
      <a href={url} target="_blank" rel="noreferrer">
        {url}
      </a>
    </div>
  );
}
