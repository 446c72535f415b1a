import { expect, test } from "vitest";
import { THEMES } from "../phone/theme.ts";
import { themedUrl } from "./mini-app.tsx";

test("the phone's colours replace those of the launch, and the init data stay byte for byte", () => {
  const initData = "user=%7B%22id%22%3A1%7D&auth_date=1&signature=a%2Bb-_&hash=ff";
  const url = `http://app.test/?tgWebAppStartParam=r#tgWebAppData=${encodeURIComponent(initData)}&tgWebAppThemeParams=%7B%7D`;
  const themed = new URL(themedUrl(url, "dark"));
  const params = new URLSearchParams(themed.hash.slice(1));
  expect(params.get("tgWebAppData")).toBe(initData);
  expect(JSON.parse(params.get("tgWebAppThemeParams") ?? "")).toEqual(THEMES.dark);
  expect(themed.search).toBe("?tgWebAppStartParam=r");
});
