import { draw } from "../tools/testing/draw.ts";
import { type Look, walk } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { GROUPS, type ScreenFixtures, setScreenFixtures } from "./screens.ts";

test.describe.configure({ timeout: 600_000 });

/** One a worker. A fixture of its own would start another worker for it, and a product with it. */
let fixtures: Promise<ScreenFixtures> | undefined;

for (const [name, screens] of GROUPS) {
  for (const look of looksAt(name)) {
    const how = `${look.schemes.join(" and ")}, in ${look.letters} letters`;
    test(`${name}: axe finds nothing and all fits, ${how}`, async ({ product }) => {
      fixtures ??= setScreenFixtures(product);
      expect(await walk(await screens(await fixtures), look)).toEqual([]);
    });
  }
}

/**
 * A group is looked at by two trees in five, in one scheme and one kind of letters: others with another
 * tree. By hand every group, in the long run all of each.
 */
function looksAt(name: string): readonly Look[] {
  const { SESAME_TREE: tree = "none" } = process.env;
  const letters = ["packaged", "dejavu"] as const;
  const schemes = ["light", "dark"] as const;
  if (process.env.LONG === "1") return letters.map((kind) => ({ letters: kind, schemes }));
  if (tree !== "none" && draw(tree, `look at ${name}`, 5) >= 2) return [];
  const drawn = draw(tree, name, 4);
  return [
    { letters: drawn % 2 === 0 ? "packaged" : "dejavu", schemes: [drawn < 2 ? "light" : "dark"] },
  ];
}
