import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../launch/build.ts";

const css = readFileSync(join(ROOT, "apps/web/src/kit/tokens.css"), "utf8");

/** A colour of `tokens.css`, in light and in dark mode. */
function colours(name: string): readonly string[] {
  const [, value = ""] = new RegExp(`--${name}: ([^;]+);`).exec(css) ?? [];
  const found = value.match(/#[0-9a-f]{6}/g) ?? [];
  return found.length === 1 ? [...found, ...found] : found;
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const TEXTS = ["ink", "ink-soft", "green", "amber", "brick"];
const GROUNDS = ["paper", "card", "hollow", "line", "tint", "amber-soft", "brick-soft"];

test.each([
  ["day", 0],
  ["night", 1],
])("in %s mode every text has a contrast of 4.5:1 on each background it may have", (_name, at) => {
  const expectLegible = (text: string, ground: string) => {
    const found = contrast(colours(text)[at] ?? "", colours(ground)[at] ?? "");
    expect(found, `${text} on ${ground}`).toBeGreaterThan(4.5);
  };
  for (const text of TEXTS) {
    for (const ground of GROUNDS) expectLegible(text, ground);
  }
  for (const ground of ["fill", "fill-brick", "big-card"]) {
    for (const end of colours(ground)) {
      expect(contrast(colours("on-fill")[at] ?? "", end), ground).toBeGreaterThan(4.5);
    }
  }
  expectLegible("ink", "raised");
  expectLegible("on-gold", "gold");
});
