import { isOfMoneyAccessOrData } from "../testing/second-run.ts";
import { isTest, lineOf, type Module } from "./modules.ts";
import { findOldWords } from "./words.ts";

/** A broken rule, with a detail that says what to change. */
export type Violation = { rule: string; path: string; detail: string };

/** Answers what is wrong with one module. */
type Rule = (module: Module) => string[];

/** What a folder may import besides itself. What is not listed is refused. */
const EDGES: Record<string, RegExp> = {
  "packages/contract": /^packages\/kernel\//,
  "packages/ledger": /^packages\/kernel\//,
  "packages/providers": /^packages\/kernel\//,
  "apps/server": /^(packages\/(contract|ledger|providers|kernel)|database)\//,
  "apps/web": /^packages\/(contract|kernel)\//,
  "apps/emulators": /^packages\/kernel\//,
};

const isProduction = (path: string): boolean =>
  /^(apps|packages|database)\//.test(path) && !isTest(path);

const folderOf = (path: string): string => /^((apps|packages)\/)?[^/]+/.exec(path)?.[0] ?? "";

/** Where the features are mounted and started. */
const MOUNTING = "apps/server/src/application.ts";
const FEATURES = "apps/server/src/features";
const PLATFORM = /^apps\/server\/src\/(?!(features|pages)\/|application\.ts$)/;
const ADAPTER = /^packages\/providers\/src\/.+\/|^grammy(?!\/types$)|^@grammyjs\//;
const ONLY_FOR_TESTS = /^(vitest|fast-check|@testing-library|(tools|e2e|bench)\/)/;

const featureOf = (path: string): string | null =>
  /^apps\/(?:server|web)\/src\/features\/([^/]+)\//.exec(path)?.[1] ?? null;
const isOtherFeature = (to: string, from: string): boolean =>
  featureOf(to) !== null && featureOf(to) !== featureOf(from);
const isServer = (path: string): boolean => path.startsWith("apps/server/src/") && !isTest(path);
/** Test files and their helpers, journeys included. */
const runsInTests = (path: string): boolean => isTest(path) || /^(e2e|tools\/testing)\//.test(path);

const PRODUCT_NAME = "Sésame";
const ACCENTED_WORD = /[a-zà-ÿ]*[àâçéèêëîïôùûœÀÂÇÉÈÊÎÔÙÛ][a-zà-ÿ]*/i;
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
  /timers\/promises"|new Promise\S*\(\s*\(?(\w+)\)?\s*=>\s*(?:void )?setTimeout\(\1,|waitForTimeout\(/g;
/** Code that reads the ledger, or the money that emulated phones received. */
const READS_BOOKS = /@sesame\/ledger|\bledger_[a-z]+\b|\breceivedBy\(|\bbrokenSales\(/g;
/** Helpers that send load at a pace. A test that waits for a fact uses `eventually`. */
const MAY_PACE =
  /^(apps\/server\/test\/(harness\.ts|(kill|wire)\/)|tools\/testing\/eventually\.ts)/;

/** In the modules that `holds` names, no import may be one that is `refused`. */
const imports =
  (holds: (path: string) => boolean, refused: (to: string, path: string) => boolean): Rule =>
  (module) =>
    holds(module.path)
      ? [...module.imports].filter((to) => refused(to, module.path)).map((to) => `imports ${to}`)
      : [];

/** In the modules that `holds` names, no text may match that is not fine. `why`: what to do instead. */
const texts =
  (
    holds: (path: string) => boolean,
    [pattern, why]: readonly [RegExp, string],
    isFine: (found: string, module: Module) => boolean = () => false,
  ): Rule =>
  (module) =>
    holds(module.path)
      ? [...module.text.matchAll(pattern)]
          .filter(([found]) => !isFine(found, module))
          .map(({ index }) => `line ${lineOf(module.text, index)}: ${why}`)
      : [];

/** The rules that the lint does not know, by name. */
export const RULES: Record<string, Rule> = {
  "words are the field's": (module) => findOldWords(module),
  "folders import only the folders they may": imports(
    isProduction,
    (to, path) =>
      /^(apps|packages|database|tools|e2e|bench)\//.test(to) &&
      folderOf(to) !== folderOf(path) &&
      !EDGES[folderOf(path)]?.test(to),
  ),
  "server features meet only through index.ts": imports(
    (path) => isServer(path) && path !== MOUNTING,
    (to, path) => isOtherFeature(to, path) && !to.endsWith(`/features/${featureOf(to)}/index.ts`),
  ),
  "web features never meet": imports(
    (path) => path.startsWith("apps/web/") && featureOf(path) !== null,
    isOtherFeature,
  ),
  "the platform imports no feature": imports(
    (path) => PLATFORM.test(path) && !isTest(path),
    isOtherFeature,
  ),
  "only providers.ts and bot/ name an adapter": imports(
    (path) => isServer(path) && !/^apps\/server\/src\/(providers\.ts$|bot\/)/.test(path),
    (to) => ADAPTER.test(to),
  ),
  "no test code in production code": imports(
    isProduction,
    (to) => isTest(to) || ONLY_FOR_TESTS.test(to),
  ),

  "French lives at the border": ({ path, text, said }) => {
    const watched = /^(apps\/server\/src|packages)\//.test(path) && !isTest(path);
    if (!watched || /(^|\/|-)(wire|routes)\.ts$|\.fr\.ts$|\/fixtures\//.test(path)) return [];
    return said
      .filter(([where]) => where === "literal")
      .filter(([, sentence]) => ACCENTED_WORD.test(sentence.replaceAll(PRODUCT_NAME, "")))
      .map(([, sentence, at]) => `line ${lineOf(text, at)}: ${sentence.trim().slice(0, 40)}`);
  },

  "quotation marks stay with their words": texts(
    (path) => /^(apps|packages)\/[\w-]+\/src\//.test(path) && !isTest(path),
    [/^(?! *(?:\/\/|\/?\*)).*(?:« | »)/gm, "write «\\u00a0 and \\u00a0»"],
    // Bots' messages are typeset by html``.
    (_, { text }) => /typeset\(|bot\/message\.ts"/.test(text),
  ),

  "one writer of CSV": texts(
    (path) => isProduction(path) && !path.startsWith("packages/contract/src/csv/"),
    [/\ufeff|\\uFEFF/gi, "use @sesame/contract/csv"],
  ),

  "a skeleton gives way to an error": texts(
    (path) => /^apps\/web\/src\/(app|buyer|features)\/.*\.tsx$/.test(path) && !isTest(path),
    [SKELETON, "asks isError or isPending, or uses the kit's NotYet"],
    (found) => SAYS_FAILURE.test(found),
  ),
  "a row has one shape": ({ path }) =>
    /^apps\/server\/src\/features\/.*(\.(store|view)|-on-wire)\.ts$/.test(path)
      ? ["a statement stands in the file of its subject, and selects the names of its answer"]
      : [],

  "tests assert no elapsed time": texts(
    runsInTests,
    [ASSERTION, "assert an order or a count; a speed belongs to bench/"],
    (found, { text }) =>
      !WALL_CLOCK.test(found) &&
      ![...text.matchAll(MEASURED)].some(([, name]) => new RegExp(`\\b${name}\\b`).test(found)),
  ),
  "tests wait with eventually": texts(
    (path) => isTest(path) && !path.startsWith("e2e/"),
    [BARE_WAIT, "use eventually"],
  ),
  "tests do not sleep": texts(
    runsInTests,
    [SLEEP, "wait for the fact"],
    (found, { path }) => found.startsWith("timers") && MAY_PACE.test(path),
  ),
  "tests of money are marked": texts(
    (path) =>
      /^(?!tools\/architecture).*\.(test|spec)\.tsx?$/.test(path) && !isOfMoneyAccessOrData(path),
    [READS_BOOKS, "reads books: use invariant(), or name the file in tools/testing/second-run.ts"],
    (_found, { text }) => /\binvariant\(/.test(text),
  ),
};

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
  const graph = new Map(modules.map(({ path, runtimeImports }) => [path, [...runtimeImports]]));
  for (const { path, imports } of modules) {
    const from = featureOf(path);
    if (from === null || !path.startsWith("apps/server/") || isTest(path)) continue;
    const others = [...imports].map(featureOf).filter((to) => to !== null && to !== from);
    const folders = others.map((to) => `${FEATURES}/${to}`);
    graph.set(`${FEATURES}/${from}`, [...(graph.get(`${FEATURES}/${from}`) ?? []), ...folders]);
  }
  const seen = new Set<string>();
  const visit = (path: string, way: readonly string[]): Violation[] => {
    const at = way.indexOf(path);
    if (at >= 0) return [{ rule: NO_CYCLES, path, detail: [...way.slice(at), path].join(" → ") }];
    if (seen.has(path)) return [];
    seen.add(path);
    return (graph.get(path) ?? []).flatMap((next) => visit(next, [...way, path]));
  };
  return [...graph.keys()].flatMap((path) => visit(path, []));
}
