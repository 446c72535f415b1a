import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { ROOT } from "../launch/build.ts";
import { readTexts } from "./modules.ts";

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

/** A name or a sentence, and where it begins. */
type Said = readonly [where: "name" | "comment" | "title" | "SQL", text: string, at: number];
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

const TITLES = /^(?:test|it|describe|bench)\b/;
const SQL_TAG = /^(?:sql|many|maybe|one|finds|run|rowsOf)\b/;
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

/** Old words in the names, comments, titles of tests and SQL of one file. */
export function findOldWords(path: string, text: string, exceptions = EXCEPTIONS): string[] {
  const fine = exceptions.filter((one) => one.path.test(path));
  const knownOf = (word: string) =>
    Object.hasOwn(OLD_WORDS, word) ? word : word.replace(/s$/, "");
  const isOld = (word: string) =>
    Object.hasOwn(OLD_WORDS, knownOf(word)) && !fine.some(({ words }) => words.test(word));
  const said = path.endsWith(".sql") ? inSql(text, 0) : inModule(path, text);
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

function inModule(path: string, text: string): Said[] {
  const { program, comments } = parseSync(path, text);
  const said: Said[] = comments.map(({ value, start }) => ["comment", value, start + 2]);
  new Visitor({
    Identifier: ({ name, start }) => void said.push(["name", name, start]),
    JSXIdentifier: ({ name, start }) => void said.push(["name", name, start]),
    CallExpression: ({ callee, arguments: [title] }) => {
      if (!TITLES.test(text.slice(callee.start, callee.end)) || title === undefined) return;
      if (title.type === "Literal" || title.type === "TemplateLiteral") {
        said.push(["title", text.slice(title.start, title.end), title.start]);
      }
    },
    TaggedTemplateExpression: ({ tag, quasi }) => {
      if (!SQL_TAG.test(text.slice(tag.start, tag.end))) return;
      for (const { start, value } of quasi.quasis) said.push(...inSql(value.raw, start));
    },
  }).visit(program);
  return said;
}

/** Names in a statement. Values between quotes are data, and `--` begins a comment. */
const inSql = (text: string, from: number): Said[] =>
  [...text.matchAll(/'(?:[^']|'')*'|--.*|\w+/g)]
    .filter(([part]) => !part.startsWith("'"))
    .map(({ 0: part, index }) => [part.startsWith("--") ? "comment" : "SQL", part, from + index]);

/** Checks every file with code or SQL, or those that changed, for `npm run check`. */
export function checkWords(changed: readonly string[] | null = null) {
  const statements = globSync("{apps/server/src,packages/*/src,database}/**/*.sql", { cwd: ROOT });
  const sql = statements.map((path) => [path, readFileSync(join(ROOT, path), "utf8")] as const);
  const files = [...Object.entries(readTexts(ROOT)), ...sql];
  const lines = files
    .filter(([path]) => changed?.includes(path) ?? true)
    .flatMap(([path, text]) => findOldWords(path, text).map((found) => `    ${path}: ${found}`));
  return { ok: files.length > 50 && lines.length === 0, output: lines.join("\n") };
}
