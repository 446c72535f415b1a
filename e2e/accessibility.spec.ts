import type { Letters } from "../tools/browser/letters.ts";
import { draw } from "../tools/testing/draw.ts";
import { walk } from "./axe.ts";
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
  for (const letters of lettersOf(name)) {
    test(`${name}: axe finds nothing, light or dark, and all fits, in ${letters} letters`, async ({
      stage,
    }) => {
      expect(await walk(await screens(stage), letters)).toEqual([]);
    });
  }
}

/** One kind a group, another with another tree; both in the long run. */
function lettersOf(name: string): readonly Letters[] {
  const both = ["packaged", "dejavu"] as const;
  if (process.env.LONG === "1") return both;
  return [both[draw(process.env.SESAME_TREE ?? "none", name, 2)] ?? "packaged"];
}
