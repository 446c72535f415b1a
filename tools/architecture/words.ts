import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { ROOT } from "../launch/build.ts";
import { readRepository } from "./modules.ts";

/** Words that the code once used, and the field's word for each. */
const OLD_WORDS: Readonly<Record<string, string>> = {
  calm: "resolve",
  chance: "random",
  claim: "complaint, lease, assignment, reservation or pending group",
  claimed: "leased, assigned or reserved",
  claims: "complaints",
  deed: "audit entry",
  deeds: "audit entries",
  desk: "staff, back office",
  errand: "job",
  heard: "reported, received",
  hush: "redact",
  judge: "decide, check",
  judged: "decided",
  judgement: "decision",
  lane: "rail, limit key, worker, queue",
  lanes: "rails, workers, queues",
  notice: "webhook",
  notices: "webhooks",
  outgoing: "outbound",
  purse: "cash float, balance",
  purses: "cash floats, balances",
  rumour: "reported transaction",
  rumours: "reported transactions",
  scene: "fixture",
  surplus: "overpayment",
  surroundings: "deps, environment",
  tell: "notify",
  telling: "notification",
  tellings: "notifications",
  told: "notified, reported",
  town: "fixture",
  upkeep: "maintenance",
  verdict: "decision, status",
  wish: "request",
  worry: "alert",
};

type Where = "name" | "comment" | "title" | "SQL";
type Found = { readonly where: Where; readonly word: string; readonly text: string; at: number };
type Exception = {
  readonly words: RegExp;
  readonly path: RegExp;
  readonly why: string;
};

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
  const found = path.endsWith(".sql") ? inSql(text, 0) : inModule(path, text);
  const isFine = ({ word }: Found) =>
    exceptions.some((one) => one.words.test(word) && one.path.test(path));
  return found
    .filter((each) => !isFine(each))
    .map(({ where, word, text: said, at }) => {
      const line = text.slice(0, at).split("\n").length;
      return `line ${line}: the ${where} \`${said}\`: say ${OLD_WORDS[word]}`;
    });
}

function inModule(path: string, text: string): Found[] {
  const { program, comments } = parseSync(path, text);
  const found: Found[] = [];
  const add = (where: Where, said: string, at: number) => found.push(...look(where, said, at));
  for (const { value, start } of comments) add("comment", value, start + 2);
  new Visitor({
    Identifier: ({ name, start }) => void add("name", name, start),
    JSXIdentifier: ({ name, start }) => void add("name", name, start),
    CallExpression: ({ callee, arguments: [title] }) => {
      if (!TITLES.test(text.slice(callee.start, callee.end)) || title === undefined) return;
      if (title.type === "Literal" || title.type === "TemplateLiteral") {
        add("title", text.slice(title.start, title.end), title.start);
      }
    },
    TaggedTemplateExpression: ({ tag, quasi }) => {
      if (!SQL_TAG.test(text.slice(tag.start, tag.end))) return;
      for (const { start, value } of quasi.quasis) found.push(...inSql(value.raw, start));
    },
  }).visit(program);
  return found;
}

/** Names in a statement. Values between quotes are data, and `--` begins a comment. */
function inSql(text: string, from: number): Found[] {
  return [...text.matchAll(/'(?:[^']|'')*'|--.*|\w+/g)].flatMap(({ 0: part, index }) => {
    if (part.startsWith("'")) return [];
    return look(part.startsWith("--") ? "comment" : "SQL", part, from + index);
  });
}

/** The old words in a name, or in each word of a sentence. */
function look(where: Where, text: string, at: number): Found[] {
  const parts = [...text.matchAll(/\w+/g)];
  return parts.flatMap(({ 0: part, index }) =>
    [...part.matchAll(WORD)]
      .map(([word]) => word.toLowerCase())
      .filter((word) => Object.hasOwn(OLD_WORDS, word))
      .map((word) => ({ where, word, text: part, at: at + index })),
  );
}

/** Checks every file with code or SQL, for `npm run check`. */
export function checkWords(): { ok: boolean; output: string } {
  const statements = globSync("{apps/server/src,packages/*/src,database}/**/*.sql", { cwd: ROOT });
  const files = [
    ...readRepository(ROOT),
    ...statements.map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") })),
  ];
  const lines = files.flatMap(({ path, text }) =>
    findOldWords(path, text).map((found) => `    ${path}: ${found}`),
  );
  return { ok: files.length > 50 && lines.length === 0, output: lines.join("\n") };
}
