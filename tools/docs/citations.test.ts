import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../launch/build.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const tracked = spawnSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).stdout.split("\n");
const DECISIONS = tracked.filter((path) => /^docs\/decisions\/\d{4}-/.test(path));
/** Files that cite: code, and pages outside of the specification. */
const TEXTS = tracked
  .filter((path) => /\.(tsx?|mjs|sql|css|md)$/.test(path))
  .filter((path) => !path.startsWith("docs/specification/") && existsSync(join(ROOT, path)))
  .filter((path) => path !== "tools/docs/citations.test.ts");

const headings = (path: string) => [...read(path).matchAll(/^## (\d+)\. /gm)].map(([, n]) => n);
const rows = (path: string) => [...read(path).matchAll(/^\| (\w+)[ ,|]/gm)].map(([, n]) => n);

/** How a citation is written, and the names that it may have. */
const CITATIONS: readonly { written: RegExp; names: ReadonlySet<string | undefined> }[] = [
  {
    written: /\bdecisions? ([1-9]\d{0,2}(?!\d)(?:(?:, | and | to )[1-9]\d{0,2}(?!\d))*)/g,
    names: new Set(rows("docs/product-decisions.md")),
  },
  {
    written: /(?:\(|\bdecisions?[ /]|0\d{3} and )(0\d{3})\b/g,
    names: new Set(DECISIONS.map((path) => path.slice(15, 19))),
  },
  { written: /\bA §(\d+)/g, names: new Set(headings("docs/specification/seller-app.md")) },
  { written: /\bB §(\d+)/g, names: new Set(headings("docs/specification/money.md")) },
  { written: /\bWIRE §(\d+)/g, names: new Set(headings("docs/wire.md")) },
  { written: /\bQUALITY §(\d+)/g, names: new Set(headings("docs/quality.md")) },
  { written: /\bQUALITY ([PR]\d+)/g, names: new Set(rows("docs/quality.md")) },
  // Documents that are not in the repository.
  { written: /\b((?:STACK|ARCHITECTURE|DECISIONS|reference|\.md`?),? §\d+)/g, names: new Set() },
  { written: /(§\d+\.\d)/g, names: new Set() },
];

function unresolved(text: string): string[] {
  return CITATIONS.flatMap(({ written, names }) =>
    [...text.matchAll(written)].flatMap(([whole, cited = ""]) =>
      cited.split(/, | and | to /).flatMap((name) => (names.has(name) ? [] : `${whole} (${name})`)),
    ),
  );
}

/** Files and folders of the repository that a page names between backticks. */
function missingPaths(text: string): string[] {
  const path = /`((?:apps|bench|database|docs|e2e|examples|packages|tools)\/[\w./-]+)`/g;
  return [...text.matchAll(path)]
    .map(([, named = ""]) => named)
    .filter((named) => !existsSync(join(ROOT, named)));
}

/** Every word of the code, SQL included. */
const WORDS = new Set(
  TEXTS.filter((path) => !path.endsWith(".md")).flatMap((path) => read(path).split(/[^\w$]+/)),
);

/**
 * Names between backticks, of TypeScript (camelCase) and of SQL (snake_case), that stand neither in the
 * code nor in the page's own example.
 */
function missingNames(text: string): string[] {
  const examples = new Set(text.match(/^```[^]*?^```/gm)?.flatMap((one) => one.split(/\W+/)));
  return [...text.matchAll(/`([a-z]+(?:(?:_[a-z]+)+|(?:[A-Z][a-z]+)+))(?:\(\))?`/g)]
    .map(([, named = ""]) => named)
    .filter((named) => !WORDS.has(named) && !examples.has(named));
}

const WALKS = tracked.filter((path) => /^docs\/walks\/.+\.md$/.test(path));
const placesOf = (text: string) =>
  [...text.matchAll(/`([^`]+)` · `([^`]+)`/g)].map(([, path = "", name = ""]) => ({ path, name }));

/** Places of a walk whose file does not exist or does not contain the name. */
function missingPlaces(text: string): string[] {
  return placesOf(text).flatMap(({ path, name }) => {
    const words = existsSync(join(ROOT, path)) ? read(path).split(/[^\w$]+/) : [];
    return words.includes(name) ? [] : [`${path} · ${name}`];
  });
}

const foundIn = (paths: readonly string[], find: (text: string) => string[]) =>
  paths.flatMap((path) => find(read(path)).map((what) => `${path}: ${what}`));

test("every citation names something in the repository", () => {
  expect(foundIn(TEXTS, unresolved)).toEqual([]);
});

test("every file that a page names exists", () => {
  const pages = TEXTS.filter((path) => path.endsWith(".md") && path !== "CHANGELOG.md");
  expect(pages.length).toBeGreaterThan(60);
  expect(foundIn(pages, missingPaths)).toEqual([]);
});

test("every name of TypeScript and SQL that a page names is in the code", () => {
  // The page of the wire reserves names of fields that are not built yet.
  const cites = /^(docs\/(?!wire\.md)|CONTRIBUTING|README).*\.md$/;
  const pages = TEXTS.filter((path) => cites.test(path));
  const planted = "`plan_change` asks `seller_set_plan`, `goneFunction` and `gone_function()`";
  expect(missingNames(planted)).toEqual(["seller_set_plan", "goneFunction", "gone_function"]);
  expect(pages.length).toBeGreaterThan(60);
  expect(foundIn(pages, missingNames)).toEqual([]);
});

test.each([
  "decision 999",
  "decisions 9 and 999",
  "(0999)",
  "A §99",
  "B §99",
  "WIRE §99",
  "QUALITY §99",
  "QUALITY P99",
  "STACK §5",
  "reference §4",
  "§4.2",
])("a planted %s is found", (citation) => {
  expect(unresolved(`// As it must be (${citation}).`)).toHaveLength(1);
});

test("a planted file that is gone is found", () => {
  expect(missingPaths("see `apps/server/src/gone.ts`")).toEqual(["apps/server/src/gone.ts"]);
});

test.each(WALKS)("%s names places that are there, and counts their files", (walk) => {
  const text = read(walk);
  const lines = text.split("\n");
  const files = new Set(placesOf(text).map(({ path }) => path));
  expect(missingPlaces(text)).toEqual([]);
  expect(placesOf(text)).toHaveLength(lines.filter((line) => line.trim().startsWith("- ")).length);
  expect([...files].filter((path) => /\.test\.|\/test\//.test(path))).toEqual([]);
  expect(lines.length).toBeLessThanOrEqual(61);
  expect(text.trimEnd().split("\n").at(-1)).toBe(`Files on this walk: ${files.size}`);
});

test("a planted place that is gone is found", () => {
  const planted = ["sesame.mjs` · `COMMANDS", "sesame.mjs` · `COMMANDO", "gone.mjs` · `COMMANDS"];
  const text = planted.map((place) => `   - \`tools/${place}\``).join("\n");
  expect(missingPlaces(text)).toEqual(["tools/sesame.mjs · COMMANDO", "tools/gone.mjs · COMMANDS"]);
  expect(WALKS).toHaveLength(3);
});

test("every decision has one form, and its line in the index", () => {
  const index = read("docs/decisions/README.md");
  for (const path of DECISIONS) {
    const text = read(path);
    const name = path.slice("docs/decisions/".length);
    expect(text, path).toMatch(new RegExp(`^# ${name.slice(0, 4)} — `));
    for (const part of ["Context", "Decision", "What enforces it"]) {
      expect(text, `${path}: ${part}`).toContain(`**${part}.**`);
    }
    expect(index).toContain(`- [${name.slice(0, 4)}](${name}) — `);
  }
});

test("each attacker of the threat model has a test", () => {
  const [, attackers = ""] = read("docs/threat-model.md").split("## Attackers");
  const rows = (attackers.split("\n## ")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| "));
  const untested = rows.slice(1).filter((row) => !/\.test\.ts`/.test(row));
  expect(untested).toEqual([]);
});
