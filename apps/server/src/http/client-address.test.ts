import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { addressKey, clientAddress } from "./callers.ts";

describe("addressKey", () => {
  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["not an address", "not an address"],
    ["", ""],
  ])("counts %s as %s", (address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});

test("every limit by address counts by it", () => {
  const root = join(import.meta.dirname, "..");
  const odd = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    // The address of whom we ask is no caller's.
    .filter((name) => ![join("http", "callers.ts"), join("outgoing", "post.ts")].includes(name))
    .flatMap((name) =>
      readFileSync(join(root, name), "utf8")
        .split("\n")
        .filter((line) => /request\.ip\b|\.remoteAddress\b/.test(line))
        .filter((line) => !/addressKey\((?:request\.ip|request\.socket\.remoteAddress)/.test(line))
        .map((line) => `${name}: ${line.trim()}`),
    );
  expect(odd).toEqual([]);
});

describe("clientAddress", () => {
  const request = (forwarded: string | undefined) =>
    ({
      socket: { remoteAddress: "10.0.0.1" },
      headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
    }) as unknown as IncomingMessage;

  test.each([
    [undefined, 0, "10.0.0.1"],
    [undefined, 2, "10.0.0.1"],
    ["1.1.1.1", 0, "10.0.0.1"],
    ["9.9.9.9, 1.1.1.1", 1, "1.1.1.1"],
    ["9.9.9.9, 1.1.1.1", 2, "9.9.9.9"],
    ["9.9.9.9, 1.1.1.1", 7, "9.9.9.9"],
    [" , ,1.1.1.1 ,", 1, "1.1.1.1"],
  ])("of X-Forwarded-For %j behind %i proxies is %s", (forwarded, proxies, address) => {
    expect(clientAddress(request(forwarded), proxies)).toBe(address);
  });
});
