import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pace } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  openOutside,
  type Outside,
  sendNotice,
  signIn,
  signNotice,
  WEBHOOK_SECRET,
} from "./stranger.ts";

let out: Outside;
let token: string;

beforeAll(async () => {
  out = await openOutside();
  ({ token } = await signIn(out, 1_001, "vendeur"));
});
afterAll(async () => {
  await out.close();
  expect(out.program.output()).not.toMatch(/"level":50/);
});

type Raw = { readonly status: number; readonly text: string };

/** Bytes as they are: what no client library would send. */
async function sendRaw(bytes: string, rest?: { afterMs: number; bytes: string }): Promise<Raw> {
  const { hostname, port } = new URL(out.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  let text = "";
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
  });
  socket.on("error", () => {});
  const closed = once(socket, "close");
  socket.write(bytes, "latin1");
  if (rest) {
    await pace(rest.afterMs);
    socket.write(rest.bytes, "latin1");
  }
  await Promise.race([closed, pace(3_000, undefined, { ref: false })]);
  socket.destroy();
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text };
}

const INSIDES = /node_modules|\.ts:\d|at \w+ \(|postgres|SELECT |FST_ERR|zod/;

function request(line: string, headers = ""): string {
  return `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`;
}

const PATHS = [
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
];

describe("an address of a strange form", () => {
  test.each(PATHS)("%s is answered, and shows nothing of the inside", async (path) => {
    const authorization = `Authorization: Bearer ${token}\r\n`;
    const raw = await sendRaw(request(`GET ${path}`, authorization));
    expect(raw.status, raw.text).toBeGreaterThanOrEqual(200);
    expect(raw.status, raw.text).toBeLessThan(500);
    expect(raw.text).not.toMatch(INSIDES);
    expect(raw.text).not.toContain("root:x:");
    expect(raw.text).not.toContain('"workspaces"');
  });
});

test("an address longer than any is refused, as are headers", async () => {
  const long = "y".repeat(20_000);
  for (const bytes of [
    request(`GET /health?x=${long}`),
    request("GET /health", `X-A: ${long}\r\n`),
  ]) {
    expect([400, 414, 431]).toContain((await sendRaw(bytes)).status);
  }
});

describe("a method nobody offered", () => {
  test.each(["HEAD", "OPTIONS", "TRACE", "PATCH", "PROPFIND", "CONNECT", "BREW", "get"])(
    "%s is no error of ours",
    async (method) => {
      for (const path of ["/api/channels", "/api/auth/vendeur", "/webhooks/moneroo", "/health"]) {
        const raw = await sendRaw(request(`${method} ${path}`));
        expect(raw.status, `${method} ${path}: ${raw.text}`).toBeLessThan(500);
        expect(raw.text).not.toMatch(INSIDES);
      }
    },
  );
});

async function refused(method: string, path: string, init: RequestInit): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, ...(init.headers as object) };
  const answer = await fetch(`${out.url}${path}`, { ...init, method, headers });
  const text = await answer.text();
  expect(answer.status, text).toBeGreaterThanOrEqual(400);
  expect(answer.status, text).toBeLessThan(500);
  expect(JSON.parse(text)).toMatchObject({
    success: false,
    code: expect.any(String),
    message: expect.stringMatching(/^[A-ZÀÉ][^{}<>]+$/),
  });
  return answer.status;
}

const JSON_TYPE = { "content-type": "application/json" };

describe("a body of a strange form", () => {
  test("is refused in French, whatever it is", async () => {
    const bodies: readonly (readonly [string, string])[] = [
      ["application/json", "{"],
      ["application/json", "null"],
      ["application/json", '"text"'],
      ["application/json", "[]"],
      ["application/json", '{"__proto__":{"reference":"abcdefgh"}}'],
      ["application/json", '{"constructor":{"prototype":{"a":1}}}'],
      ["application/json", "[".repeat(50_000)],
      ["application/json", `{"reference":"a\\u0000b","provider":"moneroo"}`],
      ["application/json", '{"reference":{"$ne":null},"provider":"moneroo"}'],
      ["application/json", `{"reference":${"9".repeat(400)}}`],
      ["text/plain", "reference=x"],
      ["application/x-www-form-urlencoded", "reference=x&provider=moneroo"],
      ["application/xml", "<a/>"],
      ["multipart/form-data", "no boundary"],
      ["multipart/form-data; boundary=x", "--x\r\nbroken"],
      ["application/json; charset=utf-16", "{}"],
      ["application/octet-stream", "\0\0"],
      ["nonsense", "x"],
    ];
    for (const [type, body] of bodies) {
      await refused("POST", "/api/orders", { headers: { "content-type": type }, body });
      await refused("POST", "/api/products", { headers: { "content-type": type }, body });
    }
  });

  test("with ten thousand fields nobody knows is answered as without them", async () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`f${index}`, 1]));
    const body = JSON.stringify({ ...many, reference: "nobodyknowsit", provider: "moneroo" });
    expect(await refused("POST", "/api/orders", { headers: JSON_TYPE, body })).toBe(404);
  });

  test("larger than what anybody needs is 413", async () => {
    const body = JSON.stringify({ reference: "x".repeat(300_000) });
    expect(await refused("POST", "/api/orders", { headers: JSON_TYPE, body })).toBe(413);
  });

  test("a field of another type gets the sentence it has, and 400 where it has none", async () => {
    const post = (body: unknown) =>
      out.call("POST", "/api/orders", {
        token,
        body: { reference: "nobodyknowsit", ...(body as object) },
      });
    for (const provider of [1, true, {}, [], null, "", undefined]) {
      const answer = await post({ provider });
      expect(answer.status).toBe(422);
      expect(answer.body.message).toBe("Veuillez sélectionner une méthode de paiement");
    }
    for (const email of [1, true, {}, [], "awa"]) {
      const answer = await post({ provider: "moneroo", customer: { email } });
      expect(answer.status).toBe(422);
      expect(answer.body.message).toContain("adresse e-mail");
    }
    expect((await post({ provider: "moneroo", customer: { phone: 12 } })).status).toBe(400);
    expect((await post({ reference: ["a"], provider: "moneroo" })).status).toBe(400);
  });

  test("a product's fields too", async () => {
    const blank = "Veuillez compléter tous les champs requis: Titre, Prix, Durée";
    for (const wrong of [{}, [], "", " ", null]) {
      const body = { title: wrong, price: wrong, duration: wrong, image: wrong };
      const answer = await out.call("POST", "/api/products", { token, body });
      expect(answer.status, JSON.stringify(wrong)).toBe(422);
      expect(answer.body.message).toBe(`${blank}, Image`);
    }
  });
});

describe("a multipart body", () => {
  const head = 'Content-Disposition: form-data; name="title"\r\n\r\n';

  test("that stops halfway, or drips, holds nobody up", async () => {
    const auth = `Authorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=b\r\n`;
    const dripping = sendRaw(
      `POST /api/products HTTP/1.1\r\nHost: x\r\n${auth}Content-Length: 5000\r\n\r\n--b\r\n${head}T`,
      { afterMs: 200, bytes: "i" },
    );
    const others = await Promise.all(
      Array.from({ length: 20 }, () => out.call("GET", "/api/channels", { token })),
    );
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await dripping).status).toBeLessThan(500);
  });

  test("of a thousand parts, or with a field a thousand times, is refused", async () => {
    const parts = (count: number) => `--b\r\n${head}x\r\n`.repeat(count);
    const type = { "content-type": "multipart/form-data; boundary=b" };
    const status = await refused("POST", "/api/products", {
      headers: type,
      body: `${parts(1_000)}--b--\r\n`,
    });
    expect([400, 413, 422]).toContain(status);
  });
});

describe("a signed notice", () => {
  test("is answered 200 whatever it says", async () => {
    const id = "py_nobody";
    const says = [
      "",
      "{",
      "null",
      "[]",
      "\0\x01\x02",
      "é".repeat(1_000),
      JSON.stringify({ event: "unheard.of", data: { id } }),
      JSON.stringify({ data: { id: { $ne: 1 } } }),
      JSON.stringify({ data: { id: "9".repeat(10_000) } }),
      JSON.stringify({ data: { id: "a'; DROP TABLE orders;--" } }),
      "[".repeat(60_000),
      `{"data":{"id":"${id}"},"more":"${"x".repeat(60_000)}"}`,
    ];
    for (const body of says) {
      const answer = await sendNotice(out, body);
      expect(answer.status, body.slice(0, 40)).toBe(200);
    }
  });

  test("of more than 64 KiB is 413, however well it is signed", async () => {
    for (const body of ["[".repeat(65_537), `{"more":"${"x".repeat(2_000_000)}"}`]) {
      expect((await sendNotice(out, body)).status).toBe(413);
    }
  });

  test("is 403 when wrongly signed, and whatever its headers are", async () => {
    const body = JSON.stringify({ event: "payment.success", data: { id: "py_x" } });
    const good = signNotice(body, WEBHOOK_SECRET);
    const wrong = [
      "",
      "x",
      good.toUpperCase(),
      `${good} `.repeat(2),
      good.slice(1),
      `sha256=${good}`,
    ];
    for (const signature of wrong) {
      const answer = await sendNotice(out, body, signature);
      expect(answer.status, signature).toBe(403);
      expect(await answer.json()).toMatchObject({ success: false });
    }
    const unsigned = await fetch(`${out.url}/webhooks/moneroo`, { method: "POST", body });
    expect(unsigned.status).toBe(403);
    const reserialised = await sendNotice(out, `${body} `, good);
    expect(reserialised.status).toBe(403);
  });
});
