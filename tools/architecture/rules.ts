import { isOfMoneyAccessOrData } from "../testing/second-run.ts";
import { isTest, type Module } from "./modules.ts";

/** A broken rule, with a detail that says what to change. */
export type Violation = { rule: string; path: string; detail: string };

type Rule = (module: Module) => string[];

/** Which folders a folder may import. What is not listed is refused. */
const EDGES: Record<string, string[]> = {
  "packages/kernel": [],
  "packages/contract": ["packages/kernel"],
  "packages/ledger": ["packages/kernel"],
  "packages/providers": ["packages/kernel"],
  "apps/server": [
    "packages/contract",
    "packages/ledger",
    "packages/providers",
    "packages/kernel",
    "database",
  ],
  "apps/web": ["packages/contract", "packages/kernel"],
  "apps/emulators": ["packages/kernel"],
  database: [],
};

const isProduction = (path: string): boolean =>
  /^(apps|packages|database)\//.test(path) && !isTest(path);

const folderOf = (path: string): string =>
  path.startsWith("apps/") || path.startsWith("packages/")
    ? path.split("/").slice(0, 2).join("/")
    : (path.split("/")[0] ?? "");

/** Where the features are mounted and started. */
const MOUNTING = "apps/server/src/application.ts";
/** Where the adapters to providers and to Telegram are chosen. */
const isAdapterChoice = (path: string): boolean =>
  path === "apps/server/src/providers.ts" || path.startsWith("apps/server/src/bot/");

const featureOf = (path: string): string | null =>
  /^apps\/(?:server|web)\/src\/features\/([^/]+)\//.exec(path)?.[1] ?? null;

/** The rules that the lint does not know, by name. Each answers what is wrong with one module. */
export const RULES: Record<string, Rule> = {
  "folders import only the folders they may": ({ path, imports }) => {
    const folder = folderOf(path);
    const allowed = EDGES[folder];
    if (allowed === undefined || !isProduction(path)) return [];
    return imports
      .filter((target) => folderOf(target) !== folder && !allowed.includes(folderOf(target)))
      .map((target) => `${folder} may not import ${target}`);
  },

  "server features meet only through index.ts": ({ path, imports }) => {
    const from = featureOf(path);
    if (!path.startsWith("apps/server/src/") || isTest(path)) return [];
    return imports
      .filter((target) => {
        const to = featureOf(target);
        if (to === null || to === from || path === MOUNTING) return false;
        return !target.endsWith(`/features/${to}/index.ts`);
      })
      .map((target) => `imports ${target} past its index.ts`);
  },

  "web features never meet": ({ path, imports }) => {
    const from = featureOf(path);
    if (!path.startsWith("apps/web/") || from === null) return [];
    return imports
      .filter((target) => featureOf(target) !== null && featureOf(target) !== from)
      .map((target) => `imports ${target}`);
  },

  "the platform imports no feature": ({ path, imports }) => {
    if (!path.startsWith("apps/server/src/") || isTest(path) || path === MOUNTING) return [];
    if (featureOf(path) !== null || path.startsWith("apps/server/src/pages/")) return [];
    return imports.filter((target) => featureOf(target) !== null).map((to) => `imports ${to}`);
  },

  "only providers.ts and bot/ name an adapter": ({ path, specifiers }) => {
    if (!path.startsWith("apps/server/src/") || isTest(path) || isAdapterChoice(path)) return [];
    return specifiers
      .filter((name) => /^@sesame\/providers\/.+/.test(name) || /^(grammy|@grammyjs\/)/.test(name))
      .filter((name) => name !== "grammy/types")
      .map((name) => `names the adapter ${name}`);
  },

  "no emulator or test code in production code": ({ path, imports, specifiers }) => {
    if (!isProduction(path)) return [];
    const test = imports.filter(
      (target) =>
        isTest(target) || /^(tools|e2e|bench)\//.test(target) || emulatorFromOutside(path, target),
    );
    const libraries = specifiers.filter((name) =>
      /^(vitest|fast-check|@testing-library)/.test(name),
    );
    return [...test, ...libraries].map((target) => `imports ${target}`);
  },

  "French lives at the border": ({ path, literals }) => {
    const watched = /^(apps\/server\/src|packages)\//.test(path) && !isTest(path);
    if (!watched || /(^|\/|-)(wire|routes)\.ts$|\.fr\.ts$|\/fixtures\//.test(path)) return [];
    // The summary of a route stands beside the route.
    return literals
      .filter(({ isSummary }) => !isSummary)
      .filter(({ text }) => ACCENTED_WORD.test(text.replaceAll(PRODUCT_NAME, "")))
      .map(({ line, text }) => `line ${line}: ${text.trim().slice(0, 40)}`);
  },

  "one writer of CSV": ({ path, literals }) =>
    isTest(path) || path.startsWith("packages/contract/src/csv/") || !isProduction(path)
      ? []
      : literals
          .filter(({ text }) => text.includes("\ufeff"))
          .map(({ line }) => `line ${line}: use @sesame/contract/csv`),

  "a skeleton gives way to an error": ({ path, text }) =>
    /^apps\/web\/src\/(app|buyer|features)\/.*\.tsx$/.test(path) && !isTest(path)
      ? matchesWithLines(text, SKELETON)
          .filter(({ found }) => !SAYS_FAILURE.test(found))
          .map(({ line }) => `line ${line}: asks isError or isPending, or uses the kit's NotYet`)
      : [],

  "a row has one shape": ({ path }) =>
    /^apps\/server\/src\/features\/.*(\.(store|view)|-on-wire)\.ts$/.test(path)
      ? ["a statement stands in the file of its subject, and selects the names of its answer"]
      : [],

  "tests assert no elapsed time": ({ path, text }) => {
    if (!runsInTests(path)) return [];
    const measured = [...text.matchAll(MEASURED)].map((match) => match[1] ?? "");
    const clock = new RegExp(
      [WALL_CLOCK.source, ...measured.map((name) => `\\b${name}\\b`)].join("|"),
    );
    return matchesWithLines(text, ASSERTION)
      .filter(({ found }) => clock.test(found))
      .map(({ line }) => `line ${line}: assert an order or a count; a speed belongs to bench/`);
  },

  "tests wait with eventually": ({ path, text }) =>
    isVitest(path)
      ? matchesWithLines(text, BARE_WAIT).map(({ line, found }) => `line ${line}: ${found}`)
      : [],

  "tests do not sleep": ({ path, text, specifiers }) => {
    if (!runsInTests(path) || path === "tools/testing/eventually.ts") return [];
    const timers = specifiers.filter(
      (name) => name.endsWith("timers/promises") && !MAY_PACE.test(path),
    );
    const slept = matchesWithLines(text, SLEEP).map(
      ({ line }) => `line ${line}: wait for the fact`,
    );
    return [...timers.map((name) => `imports ${name}`), ...slept];
  },

  "tests of money are marked": ({ path, text }) =>
    /^(?!tools\/architecture).*\.(test|spec)\.tsx?$/.test(path) &&
    READS_BOOKS.test(text) &&
    !isOfMoneyAccessOrData(path) &&
    !/\binvariant\(/.test(text)
      ? ["reads books: use invariant(), or name the file in tools/testing/second-run.ts"]
      : [],
};

/** Test files and their helpers, journeys included. */
const runsInTests = (path: string): boolean =>
  isTest(path) || path.startsWith("e2e/") || path.startsWith("tools/testing/");
const isVitest = (path: string): boolean => isTest(path) && !path.startsWith("e2e/");

const WALL_CLOCK = /performance\.now\(|process\.hrtime|Date\.now\(/;
const MEASURED = /(?:const|let)\s+(\w+)\s*=\s*(?:[^;=]|=(?!>))*?(?:performance|Date)\.now\(\)\s*-/g;
const ASSERTION = /\bexpect\([^;]*?\)\s*\.(?:not\.)?to[A-Z][^;]*;/g;
/** A skeleton, with its function up to it. */
const SKELETON = /^(?:export )?function (?:(?!^\})[^])*?<(?:Skeleton|Waiting)/gm;
/** A fallback ends with its file. Every screen has the seller from the start; an outline is a picture. */
const SAYS_FAILURE =
  /isError|isPending|fallback=|useUser\(\)|user: UserOnWire|^export function HomeOutline\b/;
const BARE_WAIT = /\bvi\.waitFor\b|\bvi\.waitUntil\b|\bexpect\s*\.poll\b/g;
const SLEEP =
  /new Promise(?:<\w+>)?\(\s*\(?(\w+)\)?\s*=>\s*(?:void )?setTimeout\(\1,|waitForTimeout\(/g;

/** Code that reads the ledger, or the money that emulated phones received. */
const READS_BOOKS = /@sesame\/ledger|\bledger_[a-z]+\b|\breceivedBy\(|\bbrokenSales\(/;

/** Helpers that send load at a pace. A test that waits for a fact uses `eventually`. */
const MAY_PACE = /^apps\/server\/test\/(harness\.ts|(kill|wire)\/)/;

function matchesWithLines(text: string, pattern: RegExp): { line: number; found: string }[] {
  return [...text.matchAll(pattern)].map((match) => ({
    line: text.slice(0, match.index).split("\n").length,
    found: match[0],
  }));
}

const PRODUCT_NAME = "Sésame";

const ACCENTED_WORD = /[a-zà-ÿ]*[àâçéèêëîïôùûœÀÂÇÉÈÊÎÔÙÛ][a-zà-ÿ]*/i;

function emulatorFromOutside(path: string, target: string): boolean {
  return target.startsWith("apps/emulators/") && !path.startsWith("apps/emulators/");
}

/** All violations in these modules, cycles included. */
export function findViolations(modules: Module[]): Violation[] {
  const single = modules.flatMap((module) =>
    Object.entries(RULES).flatMap(([rule, check]) =>
      check(module).map((detail) => ({ rule, path: module.path, detail })),
    ),
  );
  return [...single, ...findCycles(modules)];
}

export const NO_CYCLES = "no cycles anywhere";

/** Modules that import themselves through others, and features of the server that do. */
function findCycles(modules: Module[]): Violation[] {
  const graph = new Map(modules.map(({ path, runtimeImports }) => [path, runtimeImports]));
  for (const { path, imports } of modules) {
    const from = featureOf(path);
    if (from === null || !path.startsWith("apps/server/") || isTest(path)) continue;
    const others = imports.map(featureOf).filter((to) => to !== null && to !== from);
    const folders = others.map((to) => `${FEATURES}/${to}`);
    graph.set(`${FEATURES}/${from}`, [...(graph.get(`${FEATURES}/${from}`) ?? []), ...folders]);
  }
  return [...graph.keys()].flatMap((path) => {
    const cycle = wayBack(graph, path);
    return cycle === null ? [] : [{ rule: NO_CYCLES, path, detail: cycle.join(" → ") }];
  });
}

const FEATURES = "apps/server/src/features";

/** The shortest way from a node of a graph back to itself. */
function wayBack(graph: ReadonlyMap<string, readonly string[]>, start: string): string[] | null {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const at of queue) {
    for (const next of graph.get(at) ?? []) {
      if (next === start) {
        const way = [start];
        for (let node: string | undefined = at; node; node = cameFrom.get(node)) way.unshift(node);
        return way;
      }
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, at);
      queue.push(next);
    }
  }
  return null;
}
