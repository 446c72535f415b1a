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

async function lint(code: string, name = "planted.ts"): Promise<{ ok: boolean; output: string }> {
  const file = join(folder, name);
  writeFileSync(file, code);
  const settings = join(ROOT, ".oxlintrc.json");
  return runTool(join(ROOT, "node_modules", "oxlint", "bin", "oxlint"), [
    "--type-aware",
    "-c",
    settings,
    file,
  ]);
}

describe("the lint of production code", () => {
  test.each([
    ["String()", "String(value)"],
    ["a template", "`${value}`"],
    ["a sum of texts", '"" + value'],
    ["its own toString", "(value as object).toString()"],
    ["the texts of a list", "(value as unknown[]).join()"],
  ])("refuses to make a string of an unknown value by %s", async (_how, expression) => {
    const { ok, output } = await lint(
      `export function said(value: unknown): string {\n  return ${expression};\n}\n`,
    );
    expect(ok, output).toBe(false);
    expect(output).toContain("no-base-to-string");
  });

  test.each([
    ["a default export", "no-default-export", "export default 1;\n", "planted.ts"],
    ["any as a type", "no-explicit-any", "export const a = (b: any) => b;\n", "planted.ts"],
    ["a name that is not kebab-case", "filename-case", "export const a = 1;\n", "aName.ts"],
  ])("refuses %s", async (_what, rule, code, name) => {
    const { ok, output } = await lint(code, name);
    expect(ok, output).toBe(false);
    expect(output).toContain(rule);
  });

  test("accepts a known string or number", async () => {
    const { ok, output } = await lint(
      "export function said(value: string | number): string {\n  return `${value}` + String(value);\n}\n",
    );
    expect(ok, output).toBe(true);
  });
});
