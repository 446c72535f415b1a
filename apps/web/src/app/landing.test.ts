import { expect, test } from "vitest";
import { landingOf } from "./landing.ts";

const at = (deja: boolean, plan: boolean, path: string) => landingOf({ deja, plan }, path).path;

test("a seller who chose a plan lands at home, and his onboarding is corrected", () => {
  for (const path of ["/", "/Plans", "/stories"]) {
    expect(landingOf({ deja: false, plan: true }, path)).toEqual({
      path: "/IndexEspace",
      finishOnboarding: true,
    });
  }
  expect(at(true, true, "/ProductsList")).toBeNull();
});

test("a newcomer reads the stories, then chooses a plan", () => {
  expect(at(false, false, "/")).toBe("/stories");
  expect(at(false, false, "/stories")).toBeNull();
  expect(at(true, false, "/IndexEspace")).toBe("/Plans");
  expect(at(true, false, "/Plans")).toBeNull();
});
