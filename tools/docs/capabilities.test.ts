import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AUTHORIZATION, NOTICE_ROUTES } from "../../apps/server/test/authorization.table.ts";
import { ROOT } from "../launch/build.ts";
import { addressesOf } from "./addresses.ts";
import { type CapabilityRow, readCapabilities } from "./capabilities.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const { capabilities, frames } = readCapabilities(read("docs/capabilities.md"));
const rows = [...capabilities, ...frames];

const told = (list: (row: CapabilityRow) => readonly string[]): string[] =>
  rows.flatMap(list).sort();
const inOrder = (items: Iterable<string>): string[] => [...new Set(items)].sort();

function foldersIn(path: string): string[] {
  const entries = readdirSync(join(ROOT, path), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

describe("docs/capabilities.md", () => {
  test("has a row for each capability that has a room, and no other", () => {
    const rooms = [
      ...foldersIn("apps/server/src/features"),
      ...foldersIn("apps/web/src/features"),
      ...foldersIn("packages/contract/src").filter((name) => !["common", "csv"].includes(name)),
    ];
    expect(capabilities.map(({ name }) => name).sort()).toEqual(inOrder(rooms));
  });

  test("names frames where they are", () => {
    expect(frames.length).toBeGreaterThan(0);
    for (const { name, where } of frames) {
      expect(where, name).toHaveLength(1);
      expect(existsSync(join(ROOT, where[0] ?? "")), name).toBe(true);
    }
  });

  test("has each call once", () => {
    const routes = [...Object.keys(AUTHORIZATION), ...NOTICE_ROUTES];
    expect(told(({ calls }) => calls)).toEqual(inOrder(routes));
  });

  test("has each table once", () => {
    const tables = [...read("database/schema.sql").matchAll(/^CREATE TABLE (\w+)/gm)];
    expect(tables.length).toBeGreaterThan(20);
    expect(told(({ tables }) => tables)).toEqual(inOrder(tables.map(([, name = ""]) => name)));
  });

  test("has each screen's address once", () => {
    const addresses = addressesOf(read);
    expect(addresses.length).toBeGreaterThan(20);
    expect(told(({ screens }) => screens)).toEqual(inOrder(addresses));
  });

  test("is read with its mistakes: a row too short, a call told twice", () => {
    const short = "| Capability | Screens | Calls | Tables |\n|---|---|---|---|\n| a | `/x` |\n";
    expect(() => readCapabilities(short)).toThrow(/a/);
    const twice =
      "| Frame | Where | Calls | Tables |\n|---|---|---|---|\n| b | `c` | `GET /d` `GET /d` | |\n";
    expect(readCapabilities(twice).frames[0]?.calls).toEqual(["GET /d", "GET /d"]);
  });
});
