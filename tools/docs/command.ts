import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../launch/build.ts";
import { problemsOf } from "./specification/check.ts";
import { readHouse } from "./specification/house.ts";
import { renderCapabilities } from "./specification/render.ts";

const FILE = join(ROOT, "docs", "capabilities.md");

/** `npm run capabilities`: writes the generated half of docs/capabilities.md, and what is wrong. */
export function capabilitiesCommand(): boolean {
  const house = readHouse();
  writeFileSync(FILE, renderCapabilities(readFileSync(FILE, "utf8"), house));
  console.log(`docs/capabilities.md written: ${house.entries.length} items`);
  if (house.items === null) console.log("The specification is not at hand: not compared with it.");
  const problems = problemsOf(house);
  for (const problem of problems) console.log(`  ✗ ${problem}`);
  return problems.length === 0;
}
