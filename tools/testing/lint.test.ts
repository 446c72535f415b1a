import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../launch/build.ts";
import { runTool } from "./run-tool.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sesame-planted-"));
  const options = { strict: true, noEmit: true, types: [] };
  const settings = { compilerOptions: options, include: ["*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function lint(code: string, name = "planted.ts") {
  const file = join(folder, name);
  writeFileSync(file, code);
  const oxlint = join(ROOT, "node_modules", "oxlint", "bin", "oxlint");
  return runTool(oxlint, ["--type-aware", "-c", join(ROOT, ".oxlintrc.json"), file]);
}

const returned = (type: string, expression: string) =>
  `export function said(value: ${type}): string {\n  return ${expression};\n}\n`;
const NO_STRING = "no-base-to-string";

describe("the lint of production code", () => {
  test.each([
    ["String() of an unknown value", NO_STRING, returned("unknown", "String(value)")],
    ["a template of one", NO_STRING, returned("unknown", "`${value}`")],
    ["a sum of texts with one", NO_STRING, returned("unknown", '"" + value')],
    ["its own toString", NO_STRING, returned("unknown", "(value as object).toString()")],
    ["the texts of a list of them", NO_STRING, returned("unknown", "(value as unknown[]).join()")],
    ["a default export", "no-default-export", "export default 1;\n"],
    ["any as a type", "no-explicit-any", "export const a = (b: any) => b;\n"],
    ["a name that is not kebab-case", "filename-case", "export const a = 1;\n", "aName.ts"],
  ])("refuses %s", async (_what, rule, code, name = "planted.ts") => {
    const { ok, output } = await lint(code, name);
    expect(ok, output).toBe(false);
    expect(output).toContain(rule);
  });

  test("accepts a known string or number", async () => {
    const known = returned("string | number", "`${value}` + String(value)");
    const { ok, output } = await lint(known);
    expect(ok, output).toBe(true);
  });
});
