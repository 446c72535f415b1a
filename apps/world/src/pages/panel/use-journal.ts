import { useState } from "react";
import type { WorldEvent } from "../../wire.ts";
import { useWorld, useWorldEvent } from "../world/store.ts";
import { callLine, type JournalLine, journalBetween } from "./journal.ts";

const KEPT = 80;

/** Newest first, since this page was opened. */
export function useJournal(): JournalLine[] {
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
