import type { CollectorView, FaultsView, PayoutProviderName, WorldState } from "../../wire.ts";
import { collectCopy } from "./collect-copy.fr.ts";
import { panelCopy as copy } from "./copy.fr.ts";
import { payoutCopy } from "./payout-copy.fr.ts";

/** Every failure now simulated, in words; none when the world is calm. */
export function faultWords(world: Pick<WorldState, "faults" | "collectors">): string[] {
  const view = world.faults;
  const { telegram, lateStars, updates } = view;
  const said: [boolean, string][] = [
    ...kkiapayWords(view),
    [lateStars, collectCopy.notice("stars", collectCopy.quirks.lateStars.toLowerCase())],
    [updates.copies > 1, copy.journal.updates(copy.telegram.copies)],
    [updates.drop, copy.journal.updates(copy.telegram.drop)],
    [updates.reorder, copy.journal.updates(copy.telegram.reorder)],
    [updates.delayMs > 0, copy.journal.updates(copy.telegram.late)],
  ];
  const calls = telegram.map(
    (rule) => `${copy.telegram.title} : ${copy.telegram.active(rule.fault.kind, rule.times)}`,
  );
  const here = said.filter(([on]) => on).map(([, words]) => words);
  const providers = Object.keys(view.payouts) as PayoutProviderName[];
  const payouts = providers.flatMap((provider) =>
    view.payouts[provider].map(({ kind }) => payoutCopy.active(provider, kind)),
  );
  return [...calls, ...here, ...payouts, ...world.collectors.flatMap(collectWords)];
}

function kkiapayWords({ kkiapay }: FaultsView): [boolean, string][] {
  const modes = Object.entries(collectCopy.quirks.kkiapay) as [keyof typeof kkiapay, string][];
  return modes.map(([mode, said]) => [
    kkiapay[mode],
    collectCopy.notice("kkiapay", said.toLowerCase()),
  ]);
}

function collectWords({ name, faults, notices }: CollectorView): string[] {
  const failing = faults.map(({ call, kind }) => collectCopy.active(name, call, kind));
  const words: [boolean, string][] = [
    [notices.drop, collectCopy.lost],
    [notices.copies > 1, collectCopy.thrice],
    [notices.forgeSignature, collectCopy.forged],
  ];
  const said = words.filter(([on]) => on).map(([, each]) => each.toLowerCase());
  return [...failing, ...said.map((each) => collectCopy.notice(name, each))];
}
