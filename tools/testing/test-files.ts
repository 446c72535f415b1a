import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { draw } from "./draw.ts";

/** Test files that run in Node: server, emulators, packages and tools. */
export const NODE_TESTS = [
  "packages/*/src/**/*.test.ts",
  "apps/{server,emulators}/src/**/*.test.ts",
  "apps/server/test/**/*.test.ts",
  "{tools,database}/**/*.test.ts",
];

/** Test files that run in an emulated page. */
export const WEB_TESTS = [
  "apps/web/src/**/*.test.{ts,tsx}",
  "apps/emulators/src/pages/**/*.test.{ts,tsx}",
];

const KILL_OF_PAYMENTS = "apps/server/test/kill/kill.test.ts";

/**
 * Tests that kill, freeze, fail over, restart, fill a disk or start whole products. Any test beside
 * them would starve, so they run alone, one after the other.
 */
export const PROOFS = [
  KILL_OF_PAYMENTS,
  "apps/server/test/kill/payout-kill.test.ts",
  "apps/server/test/wire/disk-full.test.ts",
  "apps/server/test/wire/failover.test.ts",
  "apps/server/test/wire/faults.test.ts",
  "apps/server/test/wire/frozen-network.test.ts",
  "apps/server/test/wire/outages.test.ts",
  "apps/server/test/wire/process.test.ts",
  "apps/server/test/wire/roles.test.ts",
  "apps/server/test/wire/rolling-restarts.test.ts",
  "apps/server/test/wire/wrong-clock.test.ts",
  "tools/backup/backup.test.ts",
  "tools/launch/product.test.ts",
  "tools/postgres/embedded.test.ts",
];

/** Tests that depend on a database's collation, zone or version: they run on both databases. */
const ON_BOTH_DATABASES = [
  "apps/server/src/audit/audit.test.ts",
  "apps/server/src/features/back-office/search.test.ts",
  "apps/server/src/features/reports/periods.test.ts",
  "database/migrate.test.ts",
  "packages/ledger/src/books.test.ts",
];

const TALKS_TO_A_DATABASE = /^(apps\/server|packages\/ledger|database)\//;

/**
 * Each server test file runs once, here or elsewhere, and two proofs run: all drawn from the tree.
 * In an order drawn from the tree, each file goes to the side that has fewer lines so far: the two
 * sides take about the same time.
 */
export function drawTestFiles(root: string, tree: string) {
  const list = (patterns: string[]) =>
    globSync(patterns, { cwd: root }).map((path) => path.replaceAll("\\", "/"));
  const web = list(WEB_TESTS);
  const node = list(NODE_TESTS).filter((path) => !web.includes(path) && !PROOFS.includes(path));
  const place = (path: string) => draw(tree, path, 2 ** 32);
  const elsewhere = [...ON_BOTH_DATABASES];
  let linesHere = 0;
  let linesElsewhere = 0;
  for (const path of node
    .filter((path) => TALKS_TO_A_DATABASE.test(path) && !ON_BOTH_DATABASES.includes(path))
    .sort((a, b) => place(a) - place(b))) {
    const lines = readFileSync(join(root, path), "utf8").split("\n").length;
    if (linesHere <= linesElsewhere) linesHere += lines;
    else {
      linesElsewhere += lines;
      elsewhere.push(path);
    }
  }
  const isHere = (path: string) => ON_BOTH_DATABASES.includes(path) || !elsewhere.includes(path);
  return {
    /** On the embedded database, in UTC and English. */
    here: [...node.filter(isHere), ...web].sort(),
    /** On the given database, in another zone and language: neither may change a result. */
    elsewhere: elsewhere.sort(),
    proofs: drawProofs(tree),
  };
}

/** The proof that kills while payments are made, and one more. */
export function drawProofs(tree: string): string[] {
  const others = PROOFS.filter((path) => path !== KILL_OF_PAYMENTS);
  return [KILL_OF_PAYMENTS, ...others.slice(draw(tree, "proof", others.length)).slice(0, 1)];
}

/** Journeys that always run: how money and people come in and out, and rules of every screen. */
const EVERY_TIME = [
  "accessibility",
  "aggregators",
  "staff",
  "gallery",
  "keyboard",
  "offline",
  "pay-providers",
  "premium",
  "refunds",
  "renewal",
  "story",
  "walk",
  "weight",
  "withdrawal",
].map((name) => `${name}.spec.ts`);

/**
 * The other journeys run with two trees in five, and so do tests marked `@drawn` in a file that
 * always runs. Without a tree, as when a journey is started by hand, all run.
 */
export function drawJourneys(root: string, { SESAME_TREE: tree, LONG }: NodeJS.ProcessEnv) {
  const isDrawn = (name: string) => !tree || LONG === "1" || draw(tree, name, 5) < 2;
  const files = globSync("*.spec.ts", { cwd: join(root, "e2e") });
  return {
    files: files.filter((name) => EVERY_TIME.includes(name) || isDrawn(name)),
    leftOut: EVERY_TIME.filter((name) => !isDrawn(name)).map(
      (name) => new RegExp(`${name} .*@drawn`),
    ),
  };
}
