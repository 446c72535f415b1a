import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../launch/build.ts";

/**
 * The production sources, with spaces and apostrophes typed as in the documents. `{}` stands for a
 * part of a template.
 */
const SOURCES = globSync("{apps/server,apps/web,packages/*}/src/**/*.{ts,tsx,css}", { cwd: ROOT })
  .filter((path) => !/\.test\.|\.test-|\/testing\//.test(path))
  .map((path) => readFileSync(join(ROOT, path), "utf8"))
  .join("\n")
  .replaceAll(/\\u202f|\\u00a0|[\u202f\u00a0]/g, " ")
  .replaceAll("’", "'");

const [, ...SECTIONS] = readFileSync(join(ROOT, "tools/docs/documents.txt"), "utf8").split(/^# /m);
const LISTS = new Map(
  SECTIONS.map((section) => {
    const [title = "", ...lines] = section.split("\n");
    return [title, lines.filter((line) => line !== "")] as const;
  }),
);

const exact = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
const around = (part: string) => (text: string) => text.split("{}").map(exact).join(part);
const address = around(":\\w+");

/** How the text of each section is written in a source. */
const WRITTEN: Readonly<Record<string, (words: string) => RegExp>> = {
  Sentences: (words) =>
    new RegExp(`["'\`>}]\\s*${around("\\$\\{\\w+\\}")(words)}\\s*(?:["'\`<]|\\$?\\{)`),
  Routes: (words) => new RegExp(`"${address(words)}"`, "i"),
  Calls: (words) => {
    const [method = "", path = ""] = words.split(" ");
    return new RegExp(`"${method} ${address(path)}"|[[,] ?"${address(path)}"`);
  },
  Names: (words) => new RegExp(`(?<![\\w-])${exact(words)}(?![\\w-])`),
  Constants: (words) => new RegExp(exact(words)),
};

function missingIn(sources: string): string[] {
  return Object.entries(WRITTEN).flatMap(([section, written]) =>
    (LISTS.get(section) ?? [])
      .flatMap((line) => (section === "Names" ? line.split(" ") : [line]))
      .filter((line) => !written(line.split(" => ").at(-1) ?? "").test(sources)),
  );
}

test("the sources contain what the two documents quote", () => {
  expect([...LISTS.keys()]).toEqual([...Object.keys(WRITTEN), "Dropped"]);
  expect([...LISTS.values()].flat().length).toBeGreaterThan(250);
  expect(missingIn(SOURCES)).toEqual([]);
});

test.each(["Solde insuffisant pour ce retrait", "/api/users/retrait/mes-demandes"])(
  "%s is reported when it is removed",
  (words) => {
    expect(missingIn(SOURCES.replaceAll(new RegExp(exact(words), "gi"), "")).join()).toContain(
      words,
    );
  },
);

test("what was dropped has the number of the decision", () => {
  for (const line of LISTS.get("Dropped") ?? []) expect(line).toMatch(/ => \d+( \d+)*$/);
});
