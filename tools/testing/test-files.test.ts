import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../launch/build.ts";
import { draw, seedOf, treeOf } from "./draw.ts";
import { drawJourneys, drawProofs, drawTestFiles, PROOFS } from "./test-files.ts";

const TREES = Array.from({ length: 200 }, (_, at) => `tree ${at}`);

const everyTest = globSync("{apps,packages,tools,database}/**/*.test.{ts,tsx}", {
  cwd: ROOT,
  exclude: (name) => name === "node_modules",
});

describe("the test files of a run", () => {
  test("are every test file of the repository except proofs that are not drawn", () => {
    for (const tree of TREES.slice(0, 10)) {
      const { here, elsewhere, proofs } = drawTestFiles(ROOT, tree);
      const run = new Set([...here, ...elsewhere, ...proofs]);
      const leftOut = everyTest.filter((path) => !run.has(path));
      expect(leftOut.filter((path) => !PROOFS.includes(path))).toEqual([]);
    }
  });

  test("run once, except the few that depend on the kind of database", () => {
    const { here, elsewhere } = drawTestFiles(ROOT, "any tree");
    const twice = elsewhere.filter((path) => here.includes(path));
    expect(twice.length).toBeLessThan(10);
    expect(twice).toContain("database/migrate.test.ts");
  });

  test("have nearly as many lines on one of the databases as on the other", () => {
    const isHalved = (path: string) => /^(apps\/server|packages\/ledger|database)\//.test(path);
    const linesOf = (paths: string[]) =>
      paths.filter(isHalved).flatMap((path) => readFileSync(join(ROOT, path), "utf8").split("\n"))
        .length;
    const ratios = TREES.slice(0, 20).map((tree) => {
      const { here, elsewhere } = drawTestFiles(ROOT, tree);
      return linesOf(here) / linesOf(elsewhere);
    });
    expect(Math.min(...ratios)).toBeGreaterThan(0.9);
    expect(Math.max(...ratios)).toBeLessThan(1.1);
  });

  test("are drawn on each of the databases, and each proof by some tree", () => {
    const path = "apps/server/src/bot/bot.test.ts";
    const runs = TREES.slice(0, 20).map((tree) => drawTestFiles(ROOT, tree));
    expect(new Set(runs.map(({ here }) => here.includes(path))).size).toBe(2);
    const proofs = TREES.map(drawProofs);
    expect(new Set(proofs.flat())).toEqual(new Set(PROOFS));
    for (const drawn of proofs) expect(drawn).toContain("apps/server/test/kill/kill.test.ts");
  });

  test("all exist: a proof or file of both databases that was renamed is reported", () => {
    const named = [...PROOFS, ...drawTestFiles(ROOT, "any tree").elsewhere];
    expect(named.filter((path) => !everyTest.includes(path))).toEqual([]);
  });
});

describe("the journeys of a run", () => {
  type Drawn = ReturnType<typeof drawJourneys>;
  const all = drawJourneys(ROOT, {});

  test("are those of the written list and at least a third of the others", () => {
    const runs = TREES.map((tree) => drawJourneys(ROOT, { SESAME_TREE: tree }));
    const share = (isIn: (run: Drawn) => boolean) => runs.filter(isIn).length / runs.length;
    const shares = all.files.map((name) => share(({ files }) => files.includes(name)));
    const title = "staff.spec.ts the back office says who is no agent that he is not @drawn";
    shares.push(share(({ leftOut }) => !leftOut.some((titles) => titles.test(title))));
    expect(
      runs.some(({ leftOut }) => leftOut.some((titles) => titles.test("staff.spec.ts a"))),
    ).toBe(false);
    expect(shares.filter((share) => share === 1)).toHaveLength(14);
    expect(Math.min(...shares)).toBeGreaterThan(1 / 3);
  });

  test("are all of them with LONG, and when one is started by hand", () => {
    expect(drawJourneys(ROOT, { SESAME_TREE: "any", LONG: "1" })).toEqual(all);
    expect(all.files.length).toBeGreaterThan(20);
  });
});

describe("a draw", () => {
  test("is the same for the same tree and subject, and in its bounds", () => {
    for (const tree of TREES) {
      expect(draw(tree, "a", 3)).toBe(draw(tree, "a", 3));
      expect([0, 1, 2]).toContain(draw(tree, "a", 3));
    }
    expect(seedOf("a")).not.toBe(seedOf("b"));
  });

  test("is from HEAD's tree, and from a fixed value where git does not answer", () => {
    expect(treeOf("/")).toBe("none");
    expect(treeOf(ROOT)).toMatch(/^([0-9a-f]{40,64}|none)$/);
  });
});
