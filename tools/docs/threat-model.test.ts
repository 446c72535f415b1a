import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../launch/build.ts";

test("every file that the threat model cites exists, and each attacker has a test", () => {
  const text = readFileSync(join(ROOT, "docs", "threat-model.md"), "utf8");
  const cited = [...text.matchAll(/`([\w./-]+\.(?:ts|tsx|md|sql))`/g)].map(
    ([, path]) => path ?? "",
  );
  expect(cited.length).toBeGreaterThan(40);
  expect(cited.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  const [, attackers = ""] = text.split("## Attackers");
  const rows = (attackers.split("\n## ")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| "));
  const untested = rows.slice(1).filter((row) => !/\.test\.ts`/.test(row));
  expect(untested).toEqual([]);
});
