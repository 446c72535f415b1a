import { useEffect, useState } from "react";
import { useFramePolicy } from "../phone/browser-overlay.tsx";
import { ControlPanel } from "../panel/control-panel.tsx";
import { Phone } from "../phone/phone.tsx";
import {
  formatLongDay,
  formatSeconds,
  useEmulators,
  useEmulatorLink,
  useEmulatorNow,
} from "../emulators.ts";
import { frontCopy as copy } from "./messages.fr.ts";
import css from "./front.module.css";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * This machine has several names, each another origin, and the apps accept only the announced one.
 * → the address to go to instead, or null
 */
function betterAddress(emulatorUrl: string): string | null {
  const { origin, hostname } = new URL(emulatorUrl);
  const bothHere = LOOPBACK.has(hostname) && LOOPBACK.has(location.hostname);
  return bothHere && origin !== location.origin ? origin + location.pathname : null;
}

export function FrontPage() {
  const { state, live } = useEmulatorLink();
  const [panelOpen, setPanelOpen] = useState(false);
  const better = state === null ? null : betterAddress(state.emulatorUrl);
  useEffect(() => {
    if (better !== null) location.replace(better);
  }, [better]);
  if (state === null || better !== null) return <p>{live ? copy.waiting : copy.lost}</p>;
  return (
    <div className={css.page} data-panel={panelOpen}>
      <header className={css.bar}>
        <b>{copy.brand}</b>
        <EmulatorClock live={live} />
        <button
          type="button"
          aria-label={copy.panel}
          aria-expanded={panelOpen}
          onClick={() => setPanelOpen(!panelOpen)}
        >
          {copy.panel}
        </button>
      </header>
      <main>
        <h1>{copy.title}</h1>
        <b>{copy.first}</b>
        <ol>
          {copy.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <Phones />
      </main>
      <footer>{copy.footer}</footer>
      <ControlPanel open={panelOpen} onClose={() => setPanelOpen(false)} />
    </div>
  );
}

function EmulatorClock({ live }: { live: boolean }) {
  const now = useEmulatorNow(1000);
  return (
    <p title={live ? undefined : copy.lost}>
      {formatLongDay(now)} <time aria-label={copy.clock}>{formatSeconds(now)}</time>
    </p>
  );
}

/** Side by side, or one after the other by swiping where there is no room. */
function Phones() {
  const { phones } = useEmulators();
  useFramePolicy();
  return (
    <div className={css.phones}>
      {phones.map((phone) => (
        <Phone key={phone.id} phone={phone} />
      ))}
    </div>
  );
}
