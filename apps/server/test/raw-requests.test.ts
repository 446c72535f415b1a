import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "./harness.ts";

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.close());

/** What the server says to bytes no HTTP client would send. */
function say(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
    let heard = "";
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      heard += chunk;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(heard));
    socket.write(bytes);
  });
}

const LAST = "Host: x\r\nConnection: close\r\n";

describe("bytes that are no request", () => {
  test.each([
    ["no HTTP at all", "hello\r\n\r\n"],
    ["a method nobody knows", `FOO / HTTP/1.1\r\n${LAST}\r\n`],
    ["a header too long", `GET /health HTTP/1.1\r\n${LAST}x: ${"a".repeat(40_000)}\r\n\r\n`],
    [
      "two lengths",
      `POST /api/orders HTTP/1.1\r\n${LAST}content-length: 1\r\ncontent-length: 2\r\n\r\n`,
    ],
    [
      "a length and chunks",
      `POST /api/orders HTTP/1.1\r\n${LAST}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ["an address that cannot be read", `GET /api/orders/%E0%A4%A HTTP/1.1\r\n${LAST}\r\n`],
  ])("%s is refused in the shape of every refusal", async (_what, bytes) => {
    const heard = await say(bytes);
    expect(heard).toMatch(/^HTTP\/1\.1 400 /);
    const body: unknown = JSON.parse(heard.slice(heard.indexOf("{"), heard.lastIndexOf("}") + 1));
    expect(body).toEqual({
      success: false,
      code: "request.malformed",
      message: "La demande est mal formée.",
    });
  });

  test("an address that climbs out of its folder leads nowhere", async () => {
    for (const path of ["/images/../../etc/passwd", "/images/..%2f..%2fetc/passwd", "//x/..//"]) {
      const heard = await say(`GET ${path} HTTP/1.1\r\n${LAST}\r\n`);
      expect(heard, path).toMatch(/^HTTP\/1\.1 40[04] /);
    }
  });

  test("methods a route does not have are absent", async () => {
    for (const method of ["PATCH", "PUT", "DELETE", "OPTIONS", "TRACE"]) {
      const heard = await say(`${method} /api/orders HTTP/1.1\r\n${LAST}\r\n`);
      expect(heard, method).toMatch(/^HTTP\/1\.1 40[04] /);
    }
  });

  test("and the server goes on", async () => {
    expect((await app.call("GET", "/health")).status).toBe(200);
  });
});
