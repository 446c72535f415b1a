import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../launch/build.ts";

test("each attacker of the threat model has a test", () => {
  const text = readFileSync(join(ROOT, "docs", "threat-model.md"), "utf8");
  const [, attackers = ""] = text.split("## Attackers");
  const rows = (attackers.split("\n## ")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| "));
  const untested = rows.slice(1).filter((row) => !/\.test\.ts`/.test(row));
  expect(untested).toEqual([]);
});
