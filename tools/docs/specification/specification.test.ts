import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../launch/build.ts";
import { type Entry, readCatalogue, readItems, writeItems } from "./catalogue.ts";
import { problemsOf } from "./check.ts";
import { itemsOf } from "./extract.ts";
import { type House, readHouse } from "./house.ts";
import { literalsOf, says } from "./literals.ts";
import { renderCapabilities } from "./render.ts";
import { tagsOf } from "./tags.ts";

const house = readHouse();

describe("the catalogue of the specification", () => {
  test("is true: each item has its place, its test, or the decision that drops it", () => {
    expect(problemsOf(house)).toEqual([]);
  });

  test("holds what the two documents say, all of it", () => {
    expect(house.items.length).toBeGreaterThan(500);
    expect(house.entries).toHaveLength(house.items.length);
  });

  test("stands in docs/capabilities.md as it is now (npm run capabilities)", () => {
    const written = readFileSync(join(ROOT, "docs", "capabilities.md"), "utf8");
    expect(renderCapabilities(written, house) === written).toBe(true);
  });
});

describe("the reading of the two documents", () => {
  const items = itemsOf({
    A:
      "## 2. Screens\n| /retrait | the page |\nIt says 'C'est l'heure.' and opens /retrait/{id}?x.\n" +
      "## 3. Fields\n**Thing** (held here): id, label (or name), a b and last_seen (date). Not this.\n" +
      "## 9. Constants\n- Toast 3 s. Splash 5 s.\n",
    B:
      "## 1. What\nThe seller can:\n- be paid;\n- see it. It is told.\n" +
      '## 7. Calls\n| Method | Answer |\n|---|---|\n| GET /api/x | none |\n## 8. Errors\n- "Non."\n',
  });

  test("finds sentences, routes, screens, fields, calls and constants, each once", () => {
    expect(items.map(({ kind, said }) => `${kind} ${said}`)).toEqual([
      "sentence C'est l'heure.",
      "route /retrait",
      "route /retrait/{id}",
      "screen It says 'C'est l'heure.' and opens /retrait/{id}?x.",
      "field Thing: id",
      "field Thing: label",
      "field Thing: name",
      "field Thing: last_seen",
      "constant Toast 3 s.",
      "constant Splash 5 s.",
      "screen be paid;",
      "screen see it.",
      "screen It is told.",
      "call GET /api/x",
      "sentence Non.",
    ]);
  });

  test("is kept in items.txt as it was read", () => {
    const again = readItems(writeItems(items));
    expect(again).toHaveLength(items.length);
    expect(again).toEqual(expect.arrayContaining(items));
  });
});

describe("a tag", () => {
  test("belongs to the test below it, and to nothing else", () => {
    const text = [
      "// @shows A1.x, /y",
      "// And why.",
      'test("says it", () => {});',
      "// @shows A1.z",
      "const nothing = 1;",
      "// @shows A1.*",
      'test.each([["a"],',
      '  ["b"],',
      '])("of %s is said", () => {});',
    ].join("\n");
    expect(tagsOf("a.test.ts", text)).toEqual({
      tags: [
        { file: "a.test.ts", title: "says it", ids: ["A1.x", "/y"] },
        { file: "a.test.ts", title: "of %s is said", ids: ["A1.*"] },
      ],
      problems: ["a.test.ts:4: a tag that stands above no test"],
    });
  });
});

describe("a sentence", () => {
  test("is found in literals and templates, not in what only resembles it", () => {
    const source = 'const a = "Non merci."; const b = (x: number) => `Erreur ${x}: ${String(x)}`;';
    const texts = literalsOf("a.ts", source).map(({ text }) => text);
    expect(texts).toEqual(["Non merci.", "Erreur {}: {}"]);
    expect(says("Erreur {}: {}", "Erreur {status}: {statusText}")).toBe(true);
    expect(says("Il faut {} FCFA au moins", "Il faut 100 FCFA au moins")).toBe(true);
    expect(says("Non merci.", "Non")).toBe(false);
    expect(says("{}", "Non")).toBe(false);
  });
});

/** Each thing that would make it lie, planted. */
describe("the check can fail:", () => {
  const entry: Entry = {
    document: "A",
    section: 8,
    kind: "sentence",
    said: "Non merci.",
    id: "A8.non",
    decisions: [],
    lives: "apps/web/src/a.ts",
    as: null,
  };
  const source = { text: 'export const no = "Non merci.";', imports: [] };
  const sound: House = {
    items: [entry],
    entries: [entry],
    modules: new Map([
      ["apps/web/src/a.ts", source],
      ["a.test.ts", { text: 'test("Non merci.")', imports: [] }],
    ]),
    literals: literalsOf("apps/web/src/a.ts", source.text),
    tags: { tags: [{ file: "a.test.ts", title: "says it", ids: ["A8.non"] }], problems: [] },
    addresses: ["/retrait/:id"],
    walked: [],
    calls: ["GET /api/x/:id"],
  };
  const twice = literalsOf("apps/web/src/b.ts", source.text);
  const as = (changed: Partial<Entry>): Partial<House> => {
    const changedEntry = { ...entry, ...changed };
    return { entries: [changedEntry], items: [changedEntry] };
  };

  test("a sound house has no problem", () => {
    expect(problemsOf(sound)).toEqual([]);
  });

  test.each<[string, Partial<House>, RegExp]>([
    ["a document says more", { entries: [] }, /in no line of the catalogue/],
    ["the catalogue says more", { items: [] }, /in no document/],
    ["nobody shows it", { tags: { tags: [], problems: [] } }, /no test shows it/],
    ["a sentence said twice", { literals: [...sound.literals, ...twice] }, /several places/],
    ["a sentence reworded", { literals: [] }, /word for word/],
    ["a file that went away", as({ lives: "apps/web/src/z.ts" }), /which is not there/],
    ["a value that changed", as({ kind: "constant", as: "= 3_000" }), /does not say = 3_000/],
    ["a field that went away", as({ kind: "field", said: "User: nom" }), /has no nom/],
    ["a route nobody routes", as({ kind: "route", id: "/x", said: "/x" }), /not in the router/],
    ["a route nobody walks", as({ kind: "route", id: "/x", said: "/retrait/{id}" }), /walk/],
    ["a call nobody answers", as({ kind: "call", id: "GET /api/y" }), /no call of the server's/],
    ["dropped by nobody", as({ lives: null }), /dropped by no decision/],
    ["dropped by a decision there is not", as({ decisions: [102] }), /no decision 102/],
    ["dropped and shown", as({ lives: null, decisions: [98] }), /and a test shows it/],
    ["named twice", { entries: [entry, entry] }, /named twice/],
  ])("%s", (_what, broken, complaint) => {
    expect(problemsOf({ ...sound, ...broken }).join("\n")).toMatch(complaint);
  });

  test("a tag of nothing, and one that does not say its sentence", () => {
    const wrong = { file: "a.test.ts", title: "says it", ids: ["A8.oui"] };
    const silent = { ...sound.tags, tags: [...sound.tags.tags, wrong] };
    expect(problemsOf({ ...sound, tags: silent }).join()).toMatch(/shows A8.oui, which is nothing/);
    const modules = new Map([...sound.modules, ["a.test.ts", { text: "", imports: [] }] as const]);
    expect(problemsOf({ ...sound, modules }).join()).toMatch(/does not say it/);
  });

  test("a line of the catalogue that is none", () => {
    expect(() => readCatalogue("A1.x | a.ts | | said\n")).toThrow(/before any heading/);
    expect(() => readCatalogue("# A §1 rule\nA1.x | a.ts\n")).toThrow(/four parts/);
  });
});
