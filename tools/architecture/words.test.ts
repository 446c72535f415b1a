import { describe, expect, test } from "vitest";
import { readModule, readRepository } from "./modules.ts";
import { ROOT } from "../launch/build.ts";
import { EXCEPTIONS, findOldWords } from "./words.ts";

const found = (text: string, path = "apps/server/src/jobs/a.ts") =>
  findOldWords(readModule(path, text));

describe("the check of words", () => {
  test.each([
    ["a name", "export const laneOf = 1;", "line 1: the name `laneOf`: say rail"],
    ["a name in capitals", "const CLAIM_MS = 1;", "the name `CLAIM_MS`: say complaint"],
    ["a field", "type A = { told_at: Date };", "the name `told_at`: say notified"],
    ["a component", "const a = <DeskDoor />;", "the name `DeskDoor`: say staff"],
    ["a comment", "/** Of a lane. */", "the comment `lane`: say rail"],
    ["a title", 'test("a purse is full", () => {});', "the title `purse`: say cash float"],
    ["a table of titles", "test.each([1])(`the deed ${1}`, f);", "the title `deed`: say audit"],
    ["a statement", "\nsql`SELECT lane FROM payouts`;", "line 2: the SQL `lane`: say rail"],
    ["a comment in a statement", "sql`SELECT 1 -- a lane`;", "the comment `lane`: say rail"],
  ])("refuses an old word in %s", (_, text, wrong) => {
    const path = text.includes("<") ? "apps/web/src/a.tsx" : undefined;
    expect(found(text, path)).toEqual([expect.stringContaining(wrong)]);
  });

  test("refuses an old word in a file of SQL, and in its comments", () => {
    const text = "-- Of a purse.\nCREATE TABLE desk_alerts (kind text CHECK (kind = 'desk'));";
    expect(found(text, "database/tables.sql")).toEqual([
      "line 1: the comment `purse`: say cash float, balance",
      "line 2: the SQL `desk_alerts`: say staff, back office",
    ]);
  });

  test("accepts values and names of the wire", () => {
    const text = `
      const path = "/api/desk/queue";
      const told = sql\`SELECT 'desk' AS kind\`;
      const airplane = "lane";`;
    expect(found(text, "apps/web/src/a.ts")).toEqual([expect.stringContaining("the name `told`")]);
  });

  test.each(["apps/web/src/a.ts", "e2e/a.ts", "packages/kernel/src/a.ts"])(
    "refuses the words of sentences too, in %s",
    (path) => {
      expect(found("/** The seller is told by chance. */", path)).toHaveLength(2);
    },
  );

  test("has no exception without a use", () => {
    const modules = readRepository(ROOT);
    for (const exception of EXCEPTIONS) {
      const others = EXCEPTIONS.filter((other) => other !== exception);
      const needing = modules.filter(
        (module) => exception[1].test(module.path) && findOldWords(module, others).length > 0,
      );
      expect(needing, String(exception)).not.toEqual([]);
    }
  });
});
