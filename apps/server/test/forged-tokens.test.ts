import { crc32 } from "node:zlib";
import { KEY_PREFIX } from "@sesame/contract/developers";
import { MINUTE_MS } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import { createDeveloperFixtures } from "./developers.ts";
import { SELLER_BOT_TOKEN, startTestApp } from "./harness.ts";
import { forEach } from "./hostile.ts";
import { type Called, hashInitData, type SomeBody } from "./http.ts";

/** The server's limit: the phones of a network whose sessions expire in one minute are each refused once. */
const REFUSED_A_MINUTE = 600;

const app = await startTestApp({ env: { TRUST_PROXY: "1" } });

const ask = (path: string, token: string, address: string): Promise<Called<SomeBody>> =>
  app.call("GET", path, { token, headers: { "x-forwarded-for": address } });

const ALLOWED = Array.from({ length: REFUSED_A_MINUTE }, (_, index) => index);

/** As many as are allowed before the limit, then one more. */
async function forge(path: string, token: (index: number) => string, address: string) {
  const answers = await forEach(ALLOWED, (index) => ask(path, token(index), address));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  return ask(path, token(REFUSED_A_MINUTE), address);
}

function expectWait(answer: Called<SomeBody>): void {
  expect(answer).toMatchObject({ status: 429, body: { success: false, code: "request.too-many" } });
  const seconds = Number(answer.headers.get("retry-after"));
  expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60).toBe(true);
}

describe("forged bearer tokens", () => {
  const forged = (index: number) => String(index).padStart(43, "A");

  test("are limited from one address, and valid tokens still pass", async () => {
    const seller = await app.signInSeller();
    expectWait(await forge("/api/channels", forged, "203.0.113.7"));
    expect((await ask("/api/channels", seller.token, "203.0.113.7")).status).toBe(200);
    const other = await ask("/api/channels", forged(1), "203.0.113.8");
    expect(other).toMatchObject({ status: 401, body: { code: "identity.token-refused" } });
    app.clock.advance(MINUTE_MS);
    expect((await ask("/api/channels", forged(1), "203.0.113.7")).status).toBe(401);
  });

  test("are counted together when their addresses are of one IPv6 subscriber", async () => {
    const answers = await forEach([...ALLOWED, REFUSED_A_MINUTE], (index) =>
      ask("/api/channels", forged(index), `2001:db8:1:2::${index.toString(16)}`),
    );
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    const neighbour = await ask("/api/channels", forged(1), "2001:db8:1:3::1");
    expect(neighbour.status).toBe(401);
  });
});

describe("init data with a valid signature", () => {
  const now = () => String(Math.floor(app.clock.now().getTime() / 1_000));
  const user = (id: number) => JSON.stringify({ id, first_name: "Awa" });
  const signed = (pairs: Record<string, string>): string => {
    const params = new URLSearchParams(pairs);
    params.set("hash", hashInitData(params, SELLER_BOT_TOKEN));
    return params.toString();
  };
  const trySignIn = async (raw: string, space = "vendeur") =>
    (await app.call("POST", `/api/auth/${space}`, { headers: { "x-telegram-init-data": raw } }))
      .status;

  test("is refused when its person or its date is invalid, or it was joined with another's", async () => {
    const good = signed({ auth_date: now(), user: user(803) });
    const wrong = {
      nobody: signed({ auth_date: now() }),
      negative: signed({ auth_date: now(), user: user(-5) }),
      fraction: signed({ auth_date: now(), user: user(1.5) }),
      noDate: signed({ user: user(803) }),
      wordDate: signed({ auth_date: "yesterday", user: user(803) }),
      emptyHash: good.replace(/&hash=.*/, "&hash="),
      twiceBefore: `user=${encodeURIComponent(user(804))}&${good}`,
      twoHashes: `hash=${"0".repeat(64)}&${good}`,
      junk: "%%%",
    };
    for (const [what, raw] of Object.entries(wrong)) expect(await trySignIn(raw), what).toBe(401);
  });

  test("opens either part, with unknown fields, in any order, and thirty times at once", async () => {
    const raw = signed({ zzz: "1", user: user(802), "a=b": "c&d", auth_date: now() });
    expect(await trySignIn(raw, "acheteur")).toBe(200);
    const statuses = await Promise.all(Array.from({ length: 30 }, () => trySignIn(raw)));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

/** The checksum is public: anybody can write a key of the right form. */
const forged = (index: number) => {
  const drawn = KEY_PREFIX + String(index).padStart(36, "A");
  return drawn + crc32(drawn).toString(36).padStart(7, "0");
};

test("forged keys of developers are limited from one address, and valid keys still pass", async () => {
  const developers = createDeveloperFixtures(app);
  const { secret } = await developers.createKey(await app.seller({ plan: "premium" }));
  expectWait(await forge("/api/v1/orders", forged, "198.51.100.7"));
  expect((await ask("/api/v1/orders", secret, "198.51.100.7")).status).toBe(200);
  expect((await ask("/api/v1/orders", forged(1), "198.51.100.8")).status).toBe(401);
});
