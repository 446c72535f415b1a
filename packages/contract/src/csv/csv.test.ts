import { describe, expect, test } from "vitest";
import { csvText } from "./index.ts";

const cellOf = (value: string) => csvText([[value]]).slice(1, -2);

describe("a CSV", () => {
  test("begins with the UTF-8 byte order mark and ends its lines as RFC 4180 requires", () => {
    const numbers = [1.5, -2n, null];
    expect(csvText([["a", "é"], numbers])).toBe("\ufeffa;é\r\n1,5;-2;\r\n");
  });

  test.each<[string, string]>([
    ['say "hi"', '"say ""hi"""'],
    ["a;b", '"a;b"'],
    ["two\nlines", '"two\nlines"'],
    [" edge", '" edge"'],
  ])("quotes %j", (value, expected) => {
    expect(cellOf(value)).toBe(expected);
  });

  test.each([
    "=1+1",
    "+225 07",
    "-1+1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    " =1",
    "\u00a0=1",
    '"=1',
    "'=1",
    "|cmd",
    "%0A",
    "＝1",
    "＋1",
    "−".replace("−", "－1"),
    "＠x",
  ])("makes %j plain text", (formula) => {
    expect(cellOf(formula).replace(/^"/, "")[0]).toBe("'");
  });

  test("keeps numbers as numbers", () => {
    expect(csvText([[-100, 0, 10n ** 15n]])).toBe("\ufeff-100;0;1000000000000000\r\n");
  });
});
