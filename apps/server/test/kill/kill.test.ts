import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runKills, type Victim } from "./run-kills.ts";
import { SEED } from "../../../../tools/testing/seeded.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const isBuilt = existsSync(at("../../../web/dist/client/.vite/manifest.json"));
const REAL = at(isBuilt ? "../../src/main.ts" : "./without-pages.ts");
const MUTANT = at("./answer-first.ts");
/** A hundred for each seed of a long run. */
const KILLS = process.env["LONG"] === "1" ? 100 : 10;

const alternately = (count: number): Victim[] =>
  Array.from({ length: count }, (_, turn) => (turn % 2 === 0 ? "server" : "database"));

describe("kill -9 under a load of signed notices", () => {
  test(`of the server and of the database, ${KILLS} times: nothing lost, nothing doubled`, async () => {
    const report = await runKills({ script: REAL, victims: alternately(KILLS), settles: true });
    process.stdout.write(`seed ${SEED} ${JSON.stringify(report)}\n`);
    expect(report).toMatchObject({ kills: KILLS, lostNotices: [], lostSales: [], doubled: [] });
  }, 3_600_000);

  test("shows what a server that answers 200 first and writes later loses", async () => {
    const victims: Victim[] = ["database", "server", "database"];
    const report = await runKills({ script: MUTANT, victims, settles: false });
    expect(report.lostNotices.length).toBeGreaterThan(0);
  }, 600_000);
});
