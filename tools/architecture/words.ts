import { lineOf, type Module } from "./modules.ts";

/** Words that the code once used, and the field's word for each; plurals too. */
const OLD_WORDS: Readonly<Record<string, string>> = {
  calm: "resolve",
  chance: "random",
  claim: "complaint, lease, assignment, reservation or pending group",
  claimed: "leased, assigned or reserved",
  deed: "audit entry",
  desk: "staff, back office",
  errand: "job",
  heard: "reported, received",
  hush: "redact",
  judge: "decide, check",
  judged: "decided",
  judgement: "decision",
  lane: "rail, limit key, worker, queue",
  notice: "webhook",
  outgoing: "outbound",
  purse: "cash float, balance",
  rumour: "reported transaction",
  scene: "fixture",
  surplus: "overpayment",
  surroundings: "deps, environment",
  tell: "notify",
  telling: "notification",
  told: "notified, reported",
  town: "fixture",
  upkeep: "maintenance",
  verdict: "decision, status",
  wish: "request",
  worry: "alert",
};

/** Where an old word is the right one. */
export const EXCEPTIONS: readonly (readonly [words: RegExp, path: RegExp])[] = [
  // The table of the old words.
  [/./, /^tools\/architecture\/words\.ts$/],
  // A note on a screen is a notice.
  [/^notices?$/, /^apps\/(web|emulators\/src\/pages)\//],
];

const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

/** Old words in the names, comments, titles of tests and SQL of one file. */
export function findOldWords({ path, text, said }: Module, exceptions = EXCEPTIONS): string[] {
  const fine = exceptions.filter(([, where]) => where.test(path));
  const knownOf = (word: string) =>
    Object.hasOwn(OLD_WORDS, word) ? word : word.replace(/s$/, "");
  const isOld = (word: string) =>
    Object.hasOwn(OLD_WORDS, knownOf(word)) && !fine.some(([words]) => words.test(word));
  const watched = said.filter(([where]) => where !== "literal");
  return watched.flatMap(([where, sentence, from]) =>
    [...sentence.matchAll(/\w+/g)].flatMap(({ 0: name, index }) => {
      const old = (name.match(WORD) ?? []).map((word) => word.toLowerCase()).filter(isOld);
      return old.map(
        (word) =>
          `line ${lineOf(text, from + index)}: the ${where} \`${name}\`: say ${OLD_WORDS[knownOf(word)]}`,
      );
    }),
  );
}
