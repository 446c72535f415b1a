import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../launch/build.ts";

/** The size of the repository by name. A value may fall, and may not rise. */
type Budget = Readonly<Record<string, number>>;

/** The values that were reached before, and why each higher value was accepted. */
type Kept = { readonly values: Budget; readonly raised: readonly string[] };

const FILE = join(ROOT, "budget.json");
const TEST = /\.test\.tsx?$|\.test-[a-z]+\.ts$|\.spec\.tsx?$|\/(test|testing|fixtures|recorded)\//;
const PRODUCTION = /^(apps|packages|database|tools|bench)\/.*\.(tsx?|mjs|css|sql)$/;
/** Files that a tool writes, and this budget itself. */
const MADE = /^(package-lock\.json|budget\.json)$/;
const FEATURE =
  /^(?:apps\/(?:server|web)\/src\/features|packages\/contract\/src)\/([a-z-]+)(?=\/|\.)/;
const EXPORTED = /^export (?:async )?function (\w+)[^]*?^\}/gm;

type Source = { readonly path: string; readonly text: string; readonly lines: number };

/** Lines that are neither blank nor part of a comment. */
function linesOf(text: string): number {
  return text
    .replaceAll(/^\s*\/\*[^]*?\*\/\s*$/gm, "")
    .split("\n")
    .filter((line) => !/^\s*($|\/\/|--)/.test(line)).length;
}

/** Without git there are none. A file that is deleted but not staged does not count. */
function readSources(): Source[] {
  const tracked = spawnSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" });
  return tracked.stdout
    .split("\0")
    .filter((path) => path !== "" && !MADE.test(path) && existsSync(join(ROOT, path)))
    .map((path) => {
      const bytes = readFileSync(join(ROOT, path));
      const text = bytes.includes(0) ? "" : bytes.toString("utf8");
      return { path, text, lines: linesOf(text) };
    });
}

const sum = (sources: readonly Source[]): number =>
  sources.reduce((all, { lines }) => all + lines, 0);
const count = (sources: readonly Source[], pattern: RegExp): number =>
  sources.flatMap(({ text }) => text.match(pattern) ?? []).length;

/** Short functions that only one other file names. */
function calledOnce(production: readonly Source[]): number {
  const names = production.flatMap(({ text }) => [...new Set(text.match(/\w+/g))]);
  const filesNaming = Map.groupBy(names, (name) => name);
  return production
    .flatMap(({ text }) => [...text.matchAll(EXPORTED)])
    .filter(([whole]) => whole.split("\n").length < 12)
    .filter(([, name = ""]) => filesNaming.get(name)?.length === 2).length;
}

/** Measures the repository as it is. A file that git does not track yet is not counted. */
function measure(): Budget {
  const sources = readSources();
  const production = sources.filter(({ path }) => PRODUCTION.test(path) && !TEST.test(path));
  const styles = production.filter(({ path }) => path.endsWith(".css"));
  const code = production.filter(({ path }) => /\.(tsx?|mjs)$/.test(path));
  const features = Map.groupBy(production, ({ path }) => FEATURE.exec(path)?.[1]);
  features.delete(undefined);
  return {
    "lines of production": sum(production),
    "lines of everything": sum(sources),
    "files of production": production.length,
    "files of everything": sources.length,
    "files under 40 lines": code.filter(({ lines }) => lines < 40).length,
    // Tests of one subject may share one long file.
    "files over 500 lines": production.filter(({ lines }) => lines > 500).length,
    "short functions called from one file": calledOnce(code),
    "statements with a row type of their own": count(
      code,
      /\b(?:sql|many|maybe|one)<(?!boolean|unknown)/g,
    ),
    "declarations of styles": count(styles, /^\s+[a-z-]+:[^;{]+;/gm),
    "raw px of styles": count(
      styles.filter(({ path }) => !path.endsWith("tokens.css")),
      /\b\d+px\b/g,
    ),
    ...Object.fromEntries([...features].map(([name, of]) => [`lines of ${name}`, sum(of)])),
  };
}

const readKept = (): Kept => JSON.parse(readFileSync(FILE, "utf8"));

/** One line for each value that rose. */
export function checkBudget(): { ok: boolean; output: string } {
  const { values } = readKept();
  const worse = Object.entries(measure())
    .filter(([name, value]) => value > (values[name] ?? 0))
    .map(([name, value]) => `    ${name}: ${values[name] ?? 0} → ${value}`);
  const how = `What grew must be worth it: raise its value in budget.json, and say why in "raised".`;
  return { ok: worse.length === 0, output: [...worse, how].join("\n") };
}

/** `npm run budget` writes the values that fell into budget.json. */
export function lowerBudget(): void {
  const kept = readKept();
  const values = Object.fromEntries(
    Object.entries(measure()).map(([name, value]) => [
      name,
      Math.min(value, kept.values[name] ?? value),
    ]),
  );
  writeFileSync(FILE, `${JSON.stringify({ ...kept, values }, null, 2)}\n`);
}
