import { expect, test } from "vitest";
import { readCount } from "./config-providers.ts";

const BOUNDS = { least: 2, most: 500, absent: 16 };
const read = (value?: string) => readCount({ DATABASE_POOL: value }, "DATABASE_POOL", BOUNDS);

test("DATABASE_POOL is 16 when absent, and any whole number within its bounds", () => {
  expect([read(), read(""), read("2"), read("500")]).toEqual([16, 16, 2, 500]);
});

test.each(["1", "501", "-4", "3.5", "1e2", "many", "0x10"])(
  "DATABASE_POOL=%s is refused by name",
  (value) => {
    expect(() => read(value)).toThrow(/^DATABASE_POOL: a whole number from 2 to 500/);
  },
);
