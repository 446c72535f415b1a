import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { startTestApp } from "./harness.ts";
import { stubSite } from "./stub-site.ts";

const site = await stubSite();
const app = await startTestApp({ site });
const seller = await app.signInSeller();

const open = () => connect(Number(new URL(app.url).port), "127.0.0.1");

/** The server's answer to bytes that no HTTP client would send. */
async function say(bytes: string): Promise<string> {
  const socket = open();
  socket.setEncoding("utf8").write(bytes, "latin1");
  return (await socket.toArray()).join("");
}

/** A request without a body, and the server's answer. */
const ask = (method: string, path: string, headers = "") =>
  say(`${method} ${path} HTTP/1.1\r\n${LAST}${headers}\r\n`);

const LAST = "Host: x\r\nConnection: close\r\n";
const INSIDES = /node_modules|\.ts:\d|at \w+ \(|postgres|SELECT |FST_ERR|zod|root:x:|"workspaces"/;

describe("bytes that are no request", () => {
  test.each([
    ["no HTTP at all", "hello\r\n\r\n"],
    ["a method nobody knows", `FOO / HTTP/1.1\r\n${LAST}\r\n`],
    ["a header too long", `GET /health HTTP/1.1\r\n${LAST}x: ${"a".repeat(40_000)}\r\n\r\n`],
    ["an address too long", `GET /health?x=${"y".repeat(20_000)} HTTP/1.1\r\n${LAST}\r\n`],
    [
      "two lengths",
      `POST /api/orders HTTP/1.1\r\n${LAST}content-length: 1\r\ncontent-length: 2\r\n\r\n`,
    ],
    [
      "a length and chunks",
      `POST /api/orders HTTP/1.1\r\n${LAST}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ["an address that cannot be read", `GET /api/orders/%E0%A4%A HTTP/1.1\r\n${LAST}\r\n`],
  ])("%s is refused in the form of every refusal", async (_what, bytes) => {
    const received = await say(bytes);
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(/\{.*\}/.exec(received)?.[0] ?? "")).toEqual({
      success: false,
      code: "request.malformed",
      message: "La demande est mal formée.",
    });
  });

  test("methods without a route are absent", async () => {
    for (const method of ["PATCH", "PUT", "DELETE", "OPTIONS", "TRACE"]) {
      expect(await ask(method, "/api/orders"), method).toMatch(/^HTTP\/1\.1 40[04] /);
    }
  });

  test.each(["HEAD", "OPTIONS", "TRACE", "PATCH", "PROPFIND", "CONNECT", "BREW", "get"])(
    "the method %s is no error of ours",
    async (method) => {
      for (const path of ["/api/channels", "/api/auth/vendeur", "/webhooks/moneroo", "/health"]) {
        const received = await ask(method, path);
        expect(received, `${method} ${path}`).not.toMatch(/^HTTP\/1\.1 [5-9]/);
        expect(received).not.toMatch(INSIDES);
      }
    },
  );

  test("and the server continues", async () => {
    expect((await app.call("GET", "/health")).status).toBe(200);
  });
});

describe("an address of a strange form", () => {
  test.each([
    "//",
    "//api//channels",
    "/api/../api/channels",
    "/api/%2e%2e/channels",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/assets/../../package.json",
    "/assets/%2e%2e/%2e%2e/package.json",
    "/assets/..%2f..%2fpackage.json",
    "/images/../../etc/passwd",
    "/images/%2e%2e/800.jpg",
    "/images/..%2f..%2fsecrets.key/x",
    "/api/products/%00",
    "/api/products/%",
    "/api/products/%zz",
    "/api/products/%f0%28%8c%28",
    "/api/public/products/%00",
    "/api/public/products/constructor",
    "/api/public/products/__proto__",
    "/api/users/1;DROP TABLE people",
    "/webhooks/moneroo/..",
    "*",
    "http://evil.example/api/channels",
    "\\\\api\\channels",
  ])("%s is answered, and reveals nothing internal", async (path) => {
    const received = await ask("GET", path, `Authorization: Bearer ${seller.token}\r\n`);
    expect(received).toMatch(/^HTTP\/1\.1 [2-4]\d\d /);
    expect(received).not.toMatch(INSIDES);
  });

  test("that leaves its folder finds nothing", async () => {
    for (const path of ["/images/../../etc/passwd", "/images/..%2f..%2fetc/passwd", "//x/..//"]) {
      expect(await ask("GET", path), path).toMatch(/^HTTP\/1\.1 40[04] /);
    }
  });
});

describe("a caller", () => {
  test("is not identified by headers he sends", async () => {
    const other = await app.signInSeller();
    const { token } = seller;
    const headers = { "x-telegram-id": String(other.person.id) };
    const path = `/api/users/${other.id}?telegram_id=${other.person.id}`;
    const foreign = await app.call("GET", path, { token, headers });
    const absent = await app.call("GET", "/api/users/999999999", { token });
    expect([foreign.status, foreign.body]).toEqual([404, absent.body]);
  });

  test("without a token, with a wrong one and with one of another form is 401 alike", async () => {
    for (const authorization of ["", "Bearer", "Bearer x", "Basic eDp5", "Bearer a b"]) {
      const answer = await app.call("GET", "/api/channels", { headers: { authorization } });
      expect(answer.status, authorization).toBe(401);
      expect(answer.body.message).toBe("Vous n'êtes pas authentifié. Veuillez vous reconnecter.");
      // Where no token is configured, none is accepted.
      expect((await app.call("GET", "/metrics", { headers: { authorization } })).status).toBe(401);
    }
  });
});

describe("a body", () => {
  const head = 'Content-Disposition: form-data; name="title"\r\n\r\n';
  const type = "multipart/form-data; boundary=b";

  test("larger than anybody needs is 413", async () => {
    const body = { reference: "x".repeat(300_000) };
    const answer = await app.send("POST /api/orders", seller, body);
    expect(answer).toMatchObject({ status: 413, body: { success: false } });
  });

  test("that stops halfway, or comes slowly, delays nobody", async () => {
    const socket = open();
    socket.write(
      `POST /api/products HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${seller.token}\r\n` +
        `Content-Type: ${type}\r\nContent-Length: 5000\r\n\r\n--b\r\n${head}T`,
    );
    const callAll = async () => {
      const { token } = seller;
      const calls = Array.from({ length: 20 }, () => app.call("GET", "/api/channels", { token }));
      return new Set((await Promise.all(calls)).map(({ status }) => status));
    };
    expect(await callAll()).toEqual(new Set([200]));
    socket.write("i");
    expect(await callAll()).toEqual(new Set([200]));
    socket.destroy();
  });

  test("of a thousand parts, or with a field a thousand times, is refused", async () => {
    const body = `${`--b\r\n${head}x\r\n`.repeat(1_000)}--b--\r\n`;
    const headers = { "content-type": type };
    const answer = await app.call("POST", "/api/products", { token: seller.token, headers, body });
    expect([400, 413, 422]).toContain(answer.status);
    expect(answer.body).toMatchObject({
      success: false,
      message: expect.stringMatching(/^[A-ZÀÉ]/),
    });
  });
});
