import { describe, expect, test } from "vitest";
import { describeError, textOf } from "./results.ts";

const OWN_TO_STRING: unknown = JSON.parse('{"toString":0,"valueOf":0,"toJSON":0}');

describe("describeError", () => {
  test.each([
    ["an error by its message", new Error("no answer"), "no answer"],
    ["an error without a message by its name", new TypeError(), "TypeError"],
    ["a thrown text as it is", "no answer", "no answer"],
    ["a thrown object as JSON", { code: 1 }, '{"code":1}'],
    [
      "an object with its own toString as JSON",
      OWN_TO_STRING,
      '{"toString":0,"valueOf":0,"toJSON":0}',
    ],
    ["nothing at all by its type", undefined, "undefined"],
    ["null as it is", null, "null"],
  ])("describes %s", (_what, thrown, said) => {
    expect(describeError(thrown)).toBe(said);
  });

  test("never throws, whatever value was thrown", () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    const refusing = new Proxy(
      {},
      {
        get() {
          throw new Error("no");
        },
        getPrototypeOf() {
          throw new Error("no");
        },
      },
    );
    const hostileMessage = Object.assign(new Error(""), { message: OWN_TO_STRING, name: null });
    for (const thrown of [circle, refusing, 1n, Symbol("s"), hostileMessage, Object.create(null)]) {
      expect(typeof describeError(thrown)).toBe("string");
    }
  });
});

test("textOf gives the text of strings, numbers, booleans and bigints only", () => {
  expect(["a", 1.5, true, 12n].map(textOf)).toEqual(["a", "1.5", "true", "12"]);
  const others = [OWN_TO_STRING, ["a"], null, undefined, Symbol("s"), () => "a"];
  expect(new Set(others.map(textOf))).toEqual(new Set([""]));
});
