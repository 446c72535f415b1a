import { Icon } from "../phone/parts/icon.tsx";
import { control } from "../world/api.ts";
import { formatSeconds } from "../world/format.ts";
import { useWorld, useWorldEvent } from "../world/store.ts";
import { ClockSection } from "./clock-section.tsx";
import { CollectSection } from "./collect-section.tsx";
import { panelCopy } from "./copy.fr.ts";
import { faultWords } from "./fault-words.ts";
import { callLine, journalBetween, type JournalLine } from "./journal.ts";
import { MerchantsSection } from "./merchants-section.tsx";
import css from "./panel.module.css";
import { PayoutsSection } from "./payouts-section.tsx";
import { TelegramSection } from "./telegram-section.tsx";
import { WalletsSection } from "./wallets-section.tsx";
import { useState } from "react";
import type { WorldEvent } from "../../wire.ts";

const KEPT = 80;

/** Newest first, since this page was opened. */
function useJournal(): JournalLine[] {
  const world = useWorld();
  const [seen, setSeen] = useState({ world, lines: [] as JournalLine[] });
  if (seen.world !== world) {
    const fresh = journalBetween(seen.world, world).reverse();
    setSeen({ world, lines: [...fresh, ...seen.lines].slice(0, KEPT) });
  }
  useWorldEvent((event: WorldEvent) => {
    if (event.type !== "call") return;
    const line = callLine(event);
    if (line === null) return;
    setSeen((before) => ({ ...before, lines: [line, ...before.lines].slice(0, KEPT) }));
  });
  return seen.lines;
}

type Props = { open: boolean; onClose: () => void };

/** The hand of the visitor on the world: time, failures, notices. It never touches the server. */
export function ControlPanel({ open, onClose }: Props) {
  const lines = useJournal();
  return (
    <aside className={css.panel} aria-label={panelCopy.title} hidden={!open}>
      <header className={css.head}>
        <h2>{panelCopy.title}</h2>
        <button type="button" className={css.close} aria-label={panelCopy.close} onClick={onClose}>
          <Icon name="close" size={20} />
        </button>
      </header>
      <div className={css.sections}>
        <ClockSection />
        <Journal lines={lines} />
        <ResetButton />
        <CollectSection />
        <MerchantsSection />
        <PayoutsSection />
        <WalletsSection />
        <TelegramSection />
      </div>
    </aside>
  );
}

function ResetButton() {
  const calm = faultWords(useWorld()).length === 0;
  return (
    <button
      type="button"
      className={css.reset}
      disabled={calm}
      onClick={() => void control("clearFaults", {})}
    >
      {calm ? panelCopy.resetDone : panelCopy.reset}
    </button>
  );
}

function Journal({ lines }: { lines: JournalLine[] }) {
  const copy = panelCopy.journal;
  return (
    <section className={css.section} aria-label={copy.title}>
      <h3 className={css.title}>{copy.title}</h3>
      {lines.length === 0 && <p className={css.quiet}>{copy.empty}</p>}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the arrow keys scroll it */}
      <div className={css.journal} role="log" aria-label={copy.title} tabIndex={0}>
        <ol>
          {lines.map((line) => (
            <li key={line.key} className={css.line} data-party={line.party}>
              <time>{formatSeconds(line.at)}</time>
              <span>{line.text}</span>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
