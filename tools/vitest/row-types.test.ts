import { expect, test } from "vitest";
import { checkRows, type Shape } from "./check-rows.ts";
import { callsOf } from "./row-types.ts";

const HERE = import.meta.filename;
const shapesIn = (code: string) => callsOf(code, HERE).map(({ shape }) => shape);

test("reads a row's type written inline, named in the file, picked, joined or with optional fields", () => {
  const code = `
    type Base = { readonly id: bigint; readonly at: Date | null; readonly kind: "a" | "b" };
    type Row = Pick<Base, "id" | "at"> & { amount: Fcfa; known?: number };
    await many<Row>(db)\`SELECT 1\`;
    await one<Omit<Base, "at">>(db)\`SELECT 2\`;
    await maybe<{ words: readonly string[]; other: Elsewhere }>(db)\`SELECT 3\`;
    await one<z.output<typeof answer>>(db)\`SELECT 4\`;
  `;
  expect(shapesIn(code)).toEqual([
    { id: ["bigint"], at: ["date", "null"], amount: ["bigint"], known: ["any"] },
    { id: ["bigint"], kind: ["string", "string"] },
    { words: ["array"], other: ["any"] },
  ]);
});

test("finds a type that is imported from another file", () => {
  const code = `
    import type { Imported as Row } from "./row-types.test-row.ts";
    await one<Row>(db)\`SELECT 1\`;
  `;
  expect(shapesIn(code)).toEqual([{ id: ["bigint"], amount: ["bigint", "null"] }]);
});

const SHAPE: Shape = { id: ["bigint"], since: ["date", "null"] };
const answers = (rows: unknown) => checkRows(async () => rows, SHAPE, "a.ts:1")`SELECT`;

test("accepts rows of the type, no row, and columns that the type does not name", async () => {
  const rows = [
    { id: 1n, since: null },
    { id: 2n, since: new Date(0), more: 1 },
  ];
  await expect(answers(rows)).resolves.toBe(rows);
  await expect(answers(null)).resolves.toBeNull();
});

test.each([
  ["a misnamed column", { ident: 1n, since: null }, "a.ts:1: id is undefined, not bigint"],
  ["a lost cast", { id: "1", since: null }, "a.ts:1: id is string, not bigint"],
  ["nothing where something is promised", { id: null, since: null }, "a.ts:1: id is null"],
  ["a text for an instant", { id: 1n, since: "2026" }, "since is string, not date or null"],
])("refuses %s", async (_, row, words) => {
  await expect(answers([row])).rejects.toThrow(words);
});
