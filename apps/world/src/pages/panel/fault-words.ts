import type { FaultsView, PayoutProviderName } from "../../wire.ts";
import { panelCopy as copy } from "./copy.fr.ts";
import { payoutCopy } from "./payout-copy.fr.ts";

/** Every failure now simulated, in words; none when the world is calm. */
export function faultWords(view: FaultsView): string[] {
  const { telegram, updates, moneroo, notices } = view;
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
  return [...calls, ...said.filter(([on]) => on).map(([, words]) => words), ...payoutWords(view)];
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
