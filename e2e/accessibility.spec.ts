import { draw } from "../tools/testing/draw.ts";
import { type Look, walk } from "./axe.ts";
import { expect, test as base } from "./fixtures.ts";
import { GROUPS, type Stage, setStage } from "./screens.ts";

const test = base.extend<object, { stage: Stage }>({
  stage: [
    async ({ product }, use) => use(await setStage(product)),
    { scope: "worker", timeout: 360_000 },
  ],
});

test.describe.configure({ mode: "parallel", timeout: 600_000 });

for (const { name, screens } of GROUPS) {
  for (const look of looksAt(name)) {
    const how = `${look.schemes.join(" and ")}, in ${look.letters} letters`;
    test(`${name}: axe finds nothing and all fits, ${how}`, async ({ stage }) => {
      expect(await walk(await screens(stage), look)).toEqual([]);
    });
  }
}

/** One scheme and one kind of letters a group, others with another tree; all in the long run. */
function looksAt(name: string): readonly Look[] {
  const tree = process.env.SESAME_TREE ?? "none";
  const letters = ["packaged", "dejavu"] as const;
  const schemes = ["light", "dark"] as const;
  if (process.env.LONG === "1") return letters.map((kind) => ({ letters: kind, schemes }));
  const drawn = draw(tree, name, 4);
  return [
    {
      letters: drawn % 2 === 0 ? "packaged" : "dejavu",
      schemes: [drawn < 2 ? "light" : "dark"],
    },
  ];
}
