import { walkAll } from "./axe.ts";
import { deskScreens } from "./desk-screens.ts";
import { expect, test } from "./fixtures.ts";
import { Rooms } from "./rooms.ts";

test("axe finds nothing on any screen of the desk, light or dark, and all fits on a phone", async ({
  browser,
  product,
}) => {
  test.setTimeout(1_200_000);
  expect(await walkAll(browser, await deskScreens(new Rooms(product)))).toEqual([]);
});
