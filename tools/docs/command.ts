import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../launch/build.ts";
import { writeItems } from "./specification/catalogue.ts";
import { problemsOf } from "./specification/check.ts";
import { itemsOf } from "./specification/extract.ts";
import { readHouse } from "./specification/house.ts";
import { renderCapabilities } from "./specification/render.ts";

const FILE = join(ROOT, "docs", "capabilities.md");

/**
 * `npm run capabilities`: writes the generated half of docs/capabilities.md, and what is wrong.
 * `npm run capabilities -- FOLDER` reads the two documents anew first.
 */
export function capabilitiesCommand(documents?: string): boolean {
  if (documents !== undefined) keepItems(documents);
  const house = readHouse();
  writeFileSync(FILE, renderCapabilities(readFileSync(FILE, "utf8"), house));
  console.log(`docs/capabilities.md written: ${house.entries.length} items`);
  const problems = problemsOf(house);
  for (const problem of problems) console.log(`  ✗ ${problem}`);
  return problems.length === 0;
}

function keepItems(folder: string): void {
  const document = (name: string) => readFileSync(join(folder, name), "utf8");
  const items = itemsOf({ A: document("1-seller-app.md"), B: document("2-money.md") });
  writeFileSync(join(ROOT, "tools", "docs", "specification", "items.txt"), writeItems(items));
}
