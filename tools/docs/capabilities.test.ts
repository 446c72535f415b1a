import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BACK_OFFICE_HOME } from "../../apps/web/src/features/back-office/place.ts";
import { ROOT } from "../launch/build.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const inOrder = (items: Iterable<string>): string[] => [...new Set(items)].sort();
const codesIn = (cell = ""): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, c = ""]) => c);

/** The rows of the table of docs/capabilities.md that begins with this heading. */
function tableOf(heading: string): { name: string; second: string[] }[] {
  const [, after = ""] = read("docs/capabilities.md").split(`| ${heading} |`);
  const [, , ...lines] = (after.split("\n\n")[0] ?? "").trimEnd().split("\n");
  return lines.map((line) => {
    const [, name = "", second] = line.split("|");
    return { name: name.trim(), second: codesIn(second) };
  });
}

const CAPABILITIES = tableOf("Capability");
const FRAMES = tableOf("Frame");

test("docs/capabilities.md has a row for each capability with a folder, and no other", () => {
  const folders = globSync(
    ["apps/server/src/features/*/", "apps/web/src/features/*/", "packages/contract/src/*/"],
    { cwd: ROOT },
  ).map((path) => path.split("/").at(-1) ?? "");
  const shared = ["common", "csv", "routes"];
  expect(CAPABILITIES.map(({ name }) => name).sort()).toEqual(
    inOrder(folders.filter((folder) => !shared.includes(folder))),
  );
});

test("docs/capabilities.md names frames where they are", () => {
  expect(FRAMES.length).toBeGreaterThan(5);
  for (const { name, second } of FRAMES) {
    expect(second, name).toHaveLength(1);
    expect(existsSync(join(ROOT, second[0] ?? "")), name).toBe(true);
  }
});

test("docs/capabilities.md has each screen's address once", () => {
  const routes = ["routes.tsx", "payment-routes.tsx", "staff-routes.tsx"]
    .map((file) => read(`apps/web/src/app/${file}`))
    .join("\n");
  const addresses = [
    ["", BACK_OFFICE_HOME],
    ...routes.matchAll(/path="([^"]+)"/g),
    ...routes.matchAll(/^ {2}\["(\/[^"]+)", /gm),
    ...read("apps/server/src/pages/pages.ts").matchAll(/"(\/(?:[A-Za-z][^".]*)?)"/g),
  ]
    .map(([, address = ""]) => address)
    // An old link with more after its address opens the same page.
    .filter((address) => address !== "/assets/:name" && !address.endsWith("/*"));
  const documented = CAPABILITIES.flatMap((row) => row.second).sort();
  expect(documented).toEqual(inOrder(addresses));
});
