import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { readModule, readRepository } from "./modules.ts";
import { findViolations, NO_CYCLES, RULES } from "./rules.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FEATURES = "apps/server/src/features";
const violationsIn = (files: Record<string, string>) =>
  findViolations(Object.entries(files).map(([path, text]) => readModule(path, text)));

/** For each rule, a small repository that breaks this rule and no other. */
const PLANTED: Record<string, Record<string, string>> = {
  "words are the field's": { "database/tables.sql": "CREATE TABLE desk_alerts (kind text);" },
  "folders import only the folders they may": {
    "packages/kernel/src/index.ts": 'import { a } from "@sesame/contract";\nexport const b = a;',
  },
  "server features meet only through index.ts": {
    [`${FEATURES}/checkout/pay.ts`]: 'import { grant } from "../memberships/grant.ts";\ngrant();',
    [`${FEATURES}/memberships/grant.ts`]: "export const grant = () => {};",
  },
  "web features never meet": {
    "apps/web/src/features/a/x.ts": 'import { y } from "../b/y.ts";\ny();',
    "apps/web/src/features/b/y.ts": "export const y = () => {};",
  },
  "the platform imports no feature": {
    "apps/server/src/app.ts": 'import { g } from "./features/memberships/index.ts";\ng();',
    [`${FEATURES}/memberships/index.ts`]: "export const g = () => {};",
  },
  "only providers.ts and bot/ name an adapter": {
    [`${FEATURES}/checkout/pay.ts`]: 'import { m } from "@sesame/providers/moneroo";\nm();',
  },
  "no test code in production code": {
    "packages/ledger/src/a.ts": 'import fc from "fast-check";\nexport const a = fc;',
  },
  "French lives at the border": {
    [`${FEATURES}/checkout/pay.ts`]: 'export const sentence = "Paiement refusé";',
  },
  "quotation marks stay with their words": {
    "packages/contract/src/a/messages.fr.ts":
      "export const a = (name: string) => `Retirer « ${name} »`;",
  },
  "one writer of CSV": {
    "apps/web/src/features/reports/a.ts":
      'export const csv = (rows: string[]) => "\ufeff" + rows.join(";");',
  },
  "a skeleton gives way to an error": {
    "apps/web/src/features/a/x.tsx":
      "export function X({ data }: Props) {\n  return data ? <p>{data}</p> : <SkeletonRows count={3} />;\n}",
  },
  "a row has one shape": { [`${FEATURES}/checkout/orders.view.ts`]: "export const order = 1;" },
  "tests assert no elapsed time": {
    "packages/kernel/src/a.test.ts":
      "const began = 1;\nconst took = performance.now() - began;\nexpect(took).toBeLessThan(5);",
  },
  "tests wait with eventually": {
    "packages/kernel/src/a.test.ts": `await ${"expect"}.poll(() => 1).toBe(1);`,
  },
  "tests do not sleep": { "e2e/a.spec.ts": `await page.${"waitForTimeout"}(100);` },
  "tests of money are marked": {
    "apps/server/src/bot/a.test.ts": `import { balanceOf } from "@${"sesame"}/ledger";\nbalanceOf();`,
  },
  [NO_CYCLES]: {
    "packages/kernel/src/a.ts": 'import { b } from "./b.ts";\nexport const a = () => b;',
    "packages/kernel/src/b.ts": 'import { a } from "./a.ts";\nexport const b = () => a;',
  },
};

describe("the architecture check", () => {
  test("has a planted violation for every rule", () => {
    expect(Object.keys(PLANTED).sort()).toEqual([...Object.keys(RULES), NO_CYCLES].sort());
  });

  test.each(Object.entries(PLANTED))("can fail: %s", (rule, files) => {
    expect(new Set(violationsIn(files).map((violation) => violation.rule))).toEqual(
      new Set([rule]),
    );
  });

  test("sees a cycle between two features that no two files make", () => {
    const found = violationsIn({
      [`${FEATURES}/a/index.ts`]: "export const a = 1;",
      [`${FEATURES}/a/use.ts`]: 'import { b } from "../b/index.ts";\nexport const x = b;',
      [`${FEATURES}/b/index.ts`]: "export const b = 1;",
      [`${FEATURES}/b/use.ts`]: 'import { a } from "../a/index.ts";\nexport const y = a;',
    });
    expect(found.map(({ rule }) => rule)).toEqual([NO_CYCLES]);
  });

  test("sees a dynamic import, and an export from another module", () => {
    const found = violationsIn({
      "packages/kernel/src/a.ts": 'export const a = () => import("@sesame/ledger");',
      "packages/kernel/src/b.ts": 'export { x } from "@sesame/ledger";',
    });
    expect(found).toHaveLength(2);
  });

  test("accepts a repository that keeps every rule", () => {
    const files = {
      "apps/server/src/providers.ts": 'import { m } from "@sesame/providers/moneroo";\nm();',
      [`${FEATURES}/checkout/pay.ts`]: 'import { g } from "../memberships/index.ts";\ng();',
      [`${FEATURES}/memberships/index.ts`]: "export const g = () => {};",
      "packages/contract/src/checkout/wire.ts": 'export const s = "Payé";',
    };
    expect(violationsIn(files)).toEqual([]);
  });

  test("accepts French in the summary of a route, and nowhere else in the same file", () => {
    const found = violationsIn({
      [`${FEATURES}/checkout/http.ts`]: `app.get(
        "/x",
        { summary: asked ? "Créé" : \`Payé \${x}\`, title: "Commandé" },
        () => "Remboursé",
      );`,
    });
    expect(found.map(({ detail }) => detail)).toEqual(["line 3: Commandé", "line 4: Remboursé"]);
  });

  test("reads the repository and finds no violation", () => {
    const modules = readRepository(ROOT);
    expect(modules.length).toBeGreaterThan(50);
    expect(modules.flatMap(({ imports }) => [...imports]).length).toBeGreaterThan(50);
    expect(findViolations(modules).map((v) => `${v.path}: ${v.rule}: ${v.detail}`)).toEqual([]);
  });
});
