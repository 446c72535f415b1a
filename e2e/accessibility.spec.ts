import { walkAll } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { everyScreen } from "./screens.ts";

test("axe finds nothing on any screen, light or dark, and all fits at 320 px and 200 % text", async ({
  browser,
  product,
}) => {
  test.setTimeout(1_200_000);
  expect(await walkAll(browser, await everyScreen(product))).toEqual([]);
});
