import { useEffect, useState } from "react";
import { useFramePolicy } from "../browser/frame-policy.ts";
import { ControlPanel } from "../panel/control-panel.tsx";
import { Phone } from "../phone/phone.tsx";
import { phoneCopy } from "../phone/copy.fr.ts";
import type { Scheme } from "../phone/theme.ts";
import { useWorld, useWorldLink } from "../world/store.ts";
import { frontCopy as copy } from "./copy.fr.ts";
import css from "./front.module.css";
import { Hero, TopBar } from "./hero.tsx";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * This machine has several names, and each is another origin: the apps answer only the page whose
 * address the world announces. Gives where to go instead, or null.
 */
function betterAddress(worldUrl: string): string | null {
  const { origin, hostname } = new URL(worldUrl);
  const bothHere = LOOPBACK.has(hostname) && LOOPBACK.has(location.hostname);
  return bothHere && origin !== location.origin ? origin + location.pathname : null;
}

const DARK_QUERY = "(prefers-color-scheme: dark)";

export function FrontPage() {
  const { state, live } = useWorldLink();
  const [scheme, setScheme] = useState<Scheme>(() =>
    matchMedia(DARK_QUERY).matches ? "dark" : "light",
  );
  const [panelOpen, setPanelOpen] = useState(false);
  useEffect(() => {
    document.documentElement.dataset.theme = scheme;
  }, [scheme]);

  const better = state === null ? null : betterAddress(state.worldUrl);
  useEffect(() => {
    if (better !== null) location.replace(better);
  }, [better]);

  if (state === null || better !== null)
    return <p className={css.waiting}>{live ? copy.waiting : copy.lost}</p>;
  return (
    <div className={css.page} data-panel={panelOpen}>
      <TopBar
        live={live}
        scheme={scheme}
        onScheme={setScheme}
        panelOpen={panelOpen}
        onPanel={() => setPanelOpen(!panelOpen)}
      />
      <main className={css.main}>
        <Hero />
        <Phones scheme={scheme} />
        <p className={css.footer}>{copy.footer}</p>
      </main>
      <ControlPanel open={panelOpen} onClose={() => setPanelOpen(false)} />
    </div>
  );
}

/** Side by side; on a narrow screen one at a time, the others kept alive behind their tabs. */
function Phones({ scheme }: { scheme: Scheme }) {
  const { phones } = useWorld();
  useFramePolicy();
  const [chosen, setChosen] = useState(phones[0]?.id);
  return (
    <>
      <nav className={css.tabs} aria-label={copy.phones}>
        {phones.map((phone) => (
          <button
            type="button"
            key={phone.id}
            className={css.tab}
            aria-pressed={phone.id === chosen}
            onClick={() => setChosen(phone.id)}
          >
            {phoneCopy.phones[phone.id].role}
          </button>
        ))}
      </nav>
      <div className={css.phones}>
        {phones.map((phone) => (
          <div key={phone.id} className={css.slot} data-chosen={phone.id === chosen}>
            <Phone phone={phone} scheme={scheme} />
          </div>
        ))}
      </div>
    </>
  );
}
