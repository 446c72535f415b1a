import { Outage } from "@sesame/kernel";
import { expect, test } from "vitest";
import { isUnreachable } from "./database.ts";
import { asOutage, DatabaseOutage, outageReason } from "./outages.ts";

function errorOf(code: string, more: object = {}): Error {
  return Object.assign(new Error(`said ${code}`), { code, ...more });
}

test.each([
  ["08006", "unreachable"],
  ["08001", "unreachable"],
  ["25006", "read-only"],
  ["25P03", "slow"],
  ["40001", "conflict"],
  ["40P01", "conflict"],
  ["53000", "overloaded"],
  ["53100", "disk-full"],
  ["53200", "overloaded"],
  ["53300", "overloaded"],
  ["57014", "slow"],
  ["57P01", "unreachable"],
  ["57P02", "unreachable"],
  ["57P03", "unreachable"],
  ["57P05", "unreachable"],
  ["58000", "system"],
  ["58030", "system"],
  ["58P01", "system"],
  ["ENOTFOUND", "unreachable"],
  ["EAI_AGAIN", "unreachable"],
  ["EHOSTUNREACH", "unreachable"],
  ["ENETUNREACH", "unreachable"],
  ["ETIMEDOUT", "unreachable"],
  ["ECONNREFUSED", "unreachable"],
  ["ECONNRESET", "unreachable"],
  ["EPIPE", "unreachable"],
])("the code %s is an outage of the database: %s", (code, reason) => {
  expect(outageReason(errorOf(code))).toBe(reason);
  expect(isUnreachable(errorOf(code))).toBe(true);
});

test.each([
  "22001",
  "23505",
  "23514",
  "42601",
  "42P01",
  "55P03",
  "P0001",
  "SL001",
  "ERR_ASSERTION",
])("the code %s is no outage: a bug, or a constraint that says no", (code) => {
  expect(outageReason(errorOf(code))).toBeNull();
});

test("a missing file is an outage of the database only while connecting to its socket", () => {
  expect(outageReason(errorOf("ENOENT", { syscall: "connect" }))).toBe("unreachable");
  expect(outageReason(errorOf("ENOENT", { syscall: "open" }))).toBeNull();
});

test.each([
  ["Query read timeout", "slow"],
  ["timeout exceeded when trying to connect", "overloaded"],
  ["Connection terminated unexpectedly", "unreachable"],
  ["Connection terminated due to connection timeout", "unreachable"],
  ["timeout expired", "unreachable"],
])("the driver's sentence « %s », which has no code, is an outage: %s", (message, reason) => {
  expect(outageReason(new Error(message))).toBe(reason);
});

test("an outage keeps the database's code, and is made only once", () => {
  const outage = asOutage(errorOf("25006"));
  expect(outage).toBeInstanceOf(DatabaseOutage);
  expect(outage).toMatchObject({ party: "postgres", retryable: true, code: "25006" });
  expect(asOutage(outage)).toBe(outage);
  const other = new Outage("silent", { party: "moneroo", retryable: true });
  expect(asOutage(other)).toBe(other);
  expect(asOutage("nonsense")).toBe("nonsense");
});
