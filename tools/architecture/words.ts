import type { Module } from "./modules.ts";

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

type Exception = { readonly words: RegExp; readonly path: RegExp; readonly why: string };

/** Where an old word is the right one. */
export const EXCEPTIONS: readonly Exception[] = [
  { words: /./, path: /^tools\/architecture\/words\.ts$/, why: "the table of the old words" },
  {
    words: /^notices?$/,
    path: /^apps\/(web|emulators\/src\/pages)\//,
    why: "a note on a screen is a notice",
  },
];

const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

/** Old words in the names, comments, titles of tests and SQL of one file. */
export function findOldWords({ path, text, said }: Module, exceptions = EXCEPTIONS): string[] {
  const fine = exceptions.filter((one) => one.path.test(path));
  const knownOf = (word: string) =>
    Object.hasOwn(OLD_WORDS, word) ? word : word.replace(/s$/, "");
  const isOld = (word: string) =>
    Object.hasOwn(OLD_WORDS, knownOf(word)) && !fine.some(({ words }) => words.test(word));
  return said.flatMap(([where, sentence, from]) =>
    [...sentence.matchAll(/\w+/g)].flatMap(({ 0: name, index }) => {
      const old = (name.match(WORD) ?? []).map((word) => word.toLowerCase()).filter(isOld);
      const line = () => text.slice(0, from + index).split("\n").length;
      return old.map(
        (word) => `line ${line()}: the ${where} \`${name}\`: say ${OLD_WORDS[knownOf(word)]}`,
      );
    }),
  );
}
