/** One printed figure of a benchmark, over the runs of one version. */
export type Series = {
  /** The benchmark and what it measured. */
  readonly what: string;
  readonly unit: string;
  /** Whether less is better: time, bytes. */
  readonly lower: boolean;
  readonly figures: readonly number[];
};

export type Comparison = {
  readonly what: string;
  readonly unit: string;
  readonly before: number;
  readonly after: number;
  /** After over before, turned so that more than 1 is better. */
  readonly ratio: number;
  readonly worse: boolean;
};

/** Worse: the median is off by more than this share, and outside the range of the other version. */
const WORSE_SHARE = 0.05;

// Once with how long the benchmark took, now with when it began.
const TITLE = /^(\S.*) \((?:from )?\d+ s\)$/;
const FIGURE = /^ {2}(\S.*?) {2,}(-?[\d.]+) (\S+(?: \S+)*?)(?: {3}[✓✗] aim ([≥≤]) .*)?$/;

type Figure = Omit<Series, "figures"> & { readonly figure: number };

/** Reads what `npm run bench` prints, of this version and of those before it. */
function readFigures(text: string): Figure[] {
  const rows: Figure[] = [];
  let title = "";
  for (const line of text.split("\n")) {
    const titled = TITLE.exec(line);
    if (titled) title = titled[1] ?? "";
    const [, what, figure, unit, aim] = FIGURE.exec(line) ?? [];
    if (what === undefined || unit === undefined) continue;
    const lower = aim === undefined ? /\b(ms|µs|s|bytes|B|kB|MB)\b/.test(unit) : aim === "≤";
    rows.push({ what: `${title}: ${what}`, unit, lower, figure: Number(figure) });
  }
  return rows;
}

/** Gathers the runs of one version, figure by figure. */
export function gatherRuns(texts: readonly string[]): Series[] {
  const series = new Map<string, Series>();
  for (const { figure, ...row } of texts.flatMap(readFigures)) {
    const before = series.get(row.what)?.figures ?? [];
    series.set(row.what, { ...row, figures: [...before, figure] });
  }
  return [...series.values()];
}

/** Compares the figures that both versions print. */
export function compareRuns(before: readonly Series[], after: readonly Series[]): Comparison[] {
  return after.flatMap((now) => {
    const then = before.find(({ what }) => what === now.what);
    return then ? [compare(then, now)] : [];
  });
}

function compare(then: Series, now: Series): Comparison {
  const { what, unit, lower } = now;
  const before = medianOf(then.figures);
  const after = medianOf(now.figures);
  const ratio = lower ? before / after : after / before;
  const outside = lower ? after > Math.max(...then.figures) : after < Math.min(...then.figures);
  return { what, unit, before, after, ratio, worse: ratio < 1 - WORSE_SHARE && outside };
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
