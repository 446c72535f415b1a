import type { FaultsView } from "../../wire.ts";
import { panelCopy as copy } from "./copy.fr.ts";

/** Every failure now simulated, in words; none when the world is calm. */
export function faultWords({ telegram, updates, moneroo, notices }: FaultsView): string[] {
  const said: [boolean, string][] = [
    [
      moneroo.initialize !== "normal",
      `${copy.moneroo.initialize} : ${copy.modes[moneroo.initialize]}`,
    ],
    [moneroo.verify !== "normal", `${copy.moneroo.verify} : ${copy.modes[moneroo.verify]}`],
    [notices.copies > 1, copy.journal.notices(copy.notices.copies)],
    [notices.drop, copy.journal.notices(copy.notices.drop)],
    [notices.reorder, copy.journal.notices(copy.notices.reorder)],
    [notices.forgeSignature, copy.journal.notices(copy.notices.forge)],
    [notices.delayMs > 0, copy.journal.notices(copy.notices.delay)],
    [updates.copies > 1, copy.journal.updates(copy.telegram.copies)],
    [updates.drop, copy.journal.updates(copy.telegram.drop)],
    [updates.reorder, copy.journal.updates(copy.telegram.reorder)],
    [updates.delayMs > 0, copy.journal.updates(copy.telegram.late)],
  ];
  const calls = telegram.map(
    (rule) => `${copy.telegram.title} : ${copy.telegram.active(rule.fault.kind, rule.times)}`,
  );
  return [...calls, ...said.filter(([on]) => on).map(([, words]) => words)];
}
