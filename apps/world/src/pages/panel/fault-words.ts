import type { CollectorView, FaultsView, PayoutProviderName, WorldState } from "../../wire.ts";
import { collectCopy } from "./collect-copy.fr.ts";
import { panelCopy as copy } from "./copy.fr.ts";
import { payoutCopy } from "./payout-copy.fr.ts";

/** Every failure now simulated, in words; none when the world is calm. */
export function faultWords(world: Pick<WorldState, "faults" | "collectors">): string[] {
  const view = world.faults;
  const { telegram, lateStars, updates, moneroo, notices } = view;
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
  return [...calls, ...here, ...payoutWords(view), ...world.collectors.flatMap(collectWords)];
}

function kkiapayWords({ kkiapay }: FaultsView): [boolean, string][] {
  const modes = Object.entries(collectCopy.quirks.kkiapay) as [keyof typeof kkiapay, string][];
  return modes.map(([mode, said]) => [
    kkiapay[mode],
    collectCopy.notice("kkiapay", said.toLowerCase()),
  ]);
}

function payoutWords({ payouts, payoutNotices }: FaultsView): string[] {
  const providers = Object.keys(payouts) as PayoutProviderName[];
  const faults = providers.flatMap((provider) =>
    payouts[provider].map(({ kind }) => payoutCopy.active(provider, kind)),
  );
  const tellers = Object.keys(payoutNotices) as (keyof typeof payoutNotices)[];
  const notices = tellers.flatMap((provider) => {
    const { drop, forgeSignature } = payoutNotices[provider];
    const words: [boolean, string][] = [
      [drop, payoutCopy.lost],
      [forgeSignature, payoutCopy.forged],
    ];
    return words
      .filter(([on]) => on)
      .map(([, said]) => `${payoutCopy.providers[provider]} : ${said.toLowerCase()}`);
  });
  return [...faults, ...notices];
}

function collectWords({ name, faults, notices }: CollectorView): string[] {
  const failing = faults.map(({ call, kind }) => collectCopy.active(name, call, kind));
  // Moneroo's notices are said with its payouts', whose they are too.
  const words: [boolean, string][] =
    name === "moneroo"
      ? []
      : [
          [notices.drop, collectCopy.lost],
          [notices.copies > 1, collectCopy.thrice],
          [notices.forgeSignature, collectCopy.forged],
        ];
  const said = words.filter(([on]) => on).map(([, each]) => each.toLowerCase());
  return [...failing, ...said.map((each) => collectCopy.notice(name, each))];
}
