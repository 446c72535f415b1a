import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { median } from "../../bench/figures.ts";
import { ROOT } from "../launch/build.ts";

const RUNS = 5;

/** `npm run bench`. → the exit code: 1 when a bench broke, or something is worse than COMMIT. */
export async function benchCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { against: { type: "string" } },
  });
  if (values.against) return benchAgainst(values.against, positionals[0]);
  const { bench } = await import("../../bench/run.ts");
  return (await bench(positionals[0])) ? 0 : 1;
}

/** Runs both versions in turn, five times each, and prints what is worse. → the exit code */
function benchAgainst(commit: string, only: string | undefined): number {
  const other = checkOut(commit);
  const texts: [before: string, after: string][] = [];
  while (texts.length < RUNS) {
    texts.push([runBench(other, only), runBench(ROOT, only)]);
    console.log(`run ${texts.length} of ${RUNS} of both versions`);
  }
  const before = gatherRuns(texts.map(([text]) => text));
  const after = gatherRuns(texts.map(([, text]) => text));
  const rows = compareRuns(before, after);
  for (const { what, unit, before, after, ratio, worse } of rows) {
    const figures = `${before.toPrecision(4)} → ${after.toPrecision(4)} ${unit}`.padEnd(36);
    console.log(`  ${worse ? "✗" : "✓"} ${what.padEnd(76)} ${figures} ${ratio.toFixed(3)} ×`);
  }
  // Figures are paired by the title of their bench and their name.
  for (const { what } of after.filter(({ what }) => !rows.some((row) => row.what === what))) {
    console.log(`  ? ${what}: ${commit} prints no figure of this name`);
  }
  const worse = rows.filter(({ worse }) => worse).length;
  console.log(`${rows.length} figures, ${worse} worse than ${commit}`);
  return rows.length > 0 && worse === 0 ? 0 : 1;
}

/** A folder with that version, for the next comparison too. Its first command installs packages. */
function checkOut(commit: string): string {
  const hash = git("rev-parse", "--verify", `${commit}^{commit}`);
  const folder = join(tmpdir(), `sesame-bench-of-${hash.slice(0, 12)}`);
  if (!existsSync(folder)) git("clone", "--quiet", "--shared", ROOT, folder);
  git("-C", folder, "checkout", "--quiet", hash);
  return folder;
}

const runBench = (cwd: string, only = ""): string =>
  execFileSync("npm", ["run", "--silent", "bench", "--", only], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });

const git = (...args: string[]): string =>
  execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();

/** One printed figure of a benchmark, over the runs of one version. */
export type Series = {
  /** The benchmark and what it measured. */
  readonly what: string;
  readonly unit: string;
  /** Whether less is better: time, bytes. */
  readonly lower: boolean;
  readonly figures: readonly number[];
};

/**
 * Worse: the median is off by more than this share, and outside the range of the version before.
 */
const WORSE_SHARE = 0.05;

// Older versions print how long the benchmark took, newer ones when it began.
const TITLE = /^(\S.*) \((?:from )?\d+ s\)$/;
const FIGURE = /^ {2}(\S.*?) {2,}(-?[\d.]+) (\S+(?: \S+)*?)(?: {3}[✓✗] aim ([≥≤]) .*)?$/;

/** Gathers the figures of several outputs of `npm run bench`, of this version or an older one. */
export function gatherRuns(texts: readonly string[]): Series[] {
  const series = new Map<string, Series>();
  let title = "";
  for (const line of texts.join("\n").split("\n")) {
    title = TITLE.exec(line)?.[1] ?? title;
    const [, name, figure, unit, aim] = FIGURE.exec(line) ?? [];
    if (name === undefined || unit === undefined) continue;
    const what = `${title}: ${name}`;
    const lower = aim === undefined ? /\b(ms|µs|s|bytes|B|kB|MB)\b/.test(unit) : aim === "≤";
    const figures = [...(series.get(what)?.figures ?? []), Number(figure)];
    series.set(what, { what, unit, lower, figures });
  }
  return [...series.values()];
}

/** Compares the figures that both versions print. */
export function compareRuns(before: readonly Series[], after: readonly Series[]) {
  return after.flatMap(({ what, unit, lower, figures }) => {
    const then = before.find((series) => series.what === what)?.figures;
    if (then === undefined) return [];
    const [was, is] = [median(then), median(figures)];
    // More than 1 is better.
    const ratio = lower ? was / is : is / was;
    const outside = lower ? is > Math.max(...then) : is < Math.min(...then);
    return [
      { what, unit, before: was, after: is, ratio, worse: ratio < 1 - WORSE_SHARE && outside },
    ];
  });
}
