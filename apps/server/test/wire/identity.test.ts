import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashInitData } from "../http.ts";
import { picture } from "../pictures.ts";
import { orderProduct, publishProduct } from "../sales.ts";
import { listenTo } from "./sockets.ts";
import {
  BUYER_TOKEN,
  type Channel,
  linkGroup,
  openOutside,
  type Outside,
  SELLER_TOKEN,
  signIn,
} from "./stranger.ts";

let out: Outside;

beforeAll(async () => {
  out = await openOutside();
});
afterAll(() => out.close());

const HOUR_MS = 3_600_000;
const ago = (ms: number) => new Date(Date.now() - ms);

async function tryDoor(initData: string, door = "vendeur"): Promise<number> {
  const headers = { "x-telegram-init-data": initData };
  return (await out.call("POST", `/api/auth/${door}`, { headers })).status;
}

/** Init data of any pairs at all, correctly signed. */
function sign(pairs: readonly (readonly [string, string])[], token = SELLER_TOKEN): string {
  const params = new URLSearchParams(pairs.map(([key, value]): [string, string] => [key, value]));
  params.set("hash", hashInitData(params, token));
  return params.toString();
}

const now = () => String(Math.floor(Date.now() / 1_000));
const user = (id: number) => JSON.stringify({ id, first_name: "Awa" });

describe("init data", () => {
  test("of either bot opens either door", async () => {
    for (const bot of ["seller", "buyer"] as const) {
      expect(await tryDoor(out.initData(801, bot), "vendeur")).toBe(200);
      expect(await tryDoor(out.initData(801, bot), "acheteur")).toBe(200);
    }
  });

  test("without a user name, with fields nobody knows, and in any order, is good", async () => {
    const pairs = [
      ["auth_date", now()],
      ["zzz", "1"],
      ["user", user(802)],
      ["a=b", "c&d"],
    ] as const;
    expect(await tryDoor(sign(pairs))).toBe(200);
    expect(await tryDoor(sign([...pairs].reverse(), BUYER_TOKEN))).toBe(200);
  });

  test("stale, future, forged, of another bot, or with a key twice is 401", async () => {
    const good = out.initData(803);
    const wrong = {
      stale: out.initData(803, "seller", ago(24 * HOUR_MS + 60_000)),
      future: out.initData(803, "seller", ago(-HOUR_MS)),
      anotherBot: sign(
        [
          ["auth_date", now()],
          ["user", user(803)],
        ],
        "73:c",
      ),
      changed: good.replace("803", "804"),
      noHash: good.replace(/&hash=.*/, ""),
      emptyHash: good.replace(/&hash=.*/, "&hash="),
      upperHash: good.replace(/hash=(.*)/, (_, hash: string) => `hash=${hash.toUpperCase()}`),
      twice: `${good}&user=${encodeURIComponent(user(804))}`,
      twiceBefore: `user=${encodeURIComponent(user(804))}&${good}`,
      twoHashes: `hash=${"0".repeat(64)}&${good}`,
      nobody: sign([["auth_date", now()]]),
      negative: sign([
        ["auth_date", now()],
        ["user", user(-5)],
      ]),
      fraction: sign([
        ["auth_date", now()],
        ["user", '{"id":1.5,"first_name":"A"}'],
      ]),
      noDate: sign([["user", user(803)]]),
      wordDate: sign([
        ["auth_date", "yesterday"],
        ["user", user(803)],
      ]),
      empty: "",
      junk: "%%%",
    };
    for (const [what, initData] of Object.entries(wrong)) {
      expect(await tryDoor(initData), what).toBe(401);
    }
  });

  test("just within its day is good, again and again and at once", async () => {
    const old = out.initData(805, "seller", ago(24 * HOUR_MS - 60_000));
    const statuses = await Promise.all(Array.from({ length: 30 }, () => tryDoor(old)));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test("is refused once its person has logged out after it, and newer data is not", async () => {
    const old = out.initData(806, "seller", ago(5_000));
    const { token } = await signIn(out, 806, "vendeur");
    expect((await out.call("POST", "/api/auth/logout", { token })).status).toBe(200);
    expect(await tryDoor(old)).toBe(401);
    expect(await tryDoor(out.initData(806, "buyer", ago(5_000)), "acheteur")).toBe(401);
    expect((await out.call("GET", "/api/channels", { token })).status).toBe(401);
    expect(await tryDoor(out.initData(806, "seller", ago(-2_000)))).toBe(200);
  });

  test("refused 20 times a minute answers 401, then 429 with the seconds to wait", async () => {
    const forged = out.initData(807).replace(/hash=.{4}/, "hash=0000");
    for (let tries = 0; tries < 20; tries += 1) expect(await tryDoor(forged)).toBe(401);
    const headers = { "x-telegram-init-data": forged };
    const held = await out.call("POST", "/api/auth/vendeur", { headers });
    expect(held.status).toBe(429);
    expect(Number(held.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await tryDoor(out.initData(807))).toBe(200);
  });
});

describe("who is who", () => {
  test("a buyer's page makes no seller", async () => {
    const { token } = await signIn(out, 811, "acheteur");
    const answer = await out.call("GET", "/api/channels", { token });
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ success: false, code: expect.any(String) });
  });

  test("nobody is believed by what he says he is", async () => {
    const seller = await signIn(out, 812, "vendeur");
    const other = await signIn(out, 813, "vendeur");
    const headers = { "x-telegram-id": "813" };
    const foreign = await out.call("GET", `/api/users/${other.id}?telegram_id=813`, {
      token: seller.token,
      headers,
    });
    const absent = await out.call("GET", "/api/users/999999999", { token: seller.token });
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(absent.body);
  });

  test("no token, a wrong one, and one of another form are 401 alike", async () => {
    for (const authorization of ["", "Bearer", "Bearer x", "Basic eDp5", "Bearer a b"]) {
      const answer = await out.call("GET", "/api/channels", { headers: { authorization } });
      expect(answer.status, authorization).toBe(401);
      expect(answer.body.message).toBe("Vous n'êtes pas authentifié. Veuillez vous reconnecter.");
    }
  });
});

describe("the realtime door", () => {
  test("is shut without a token, with a wrong one and with one of another type", async () => {
    for (const token of [undefined, "", "x", 12, null, { a: 1 }, ["x"], "x".repeat(10_000)]) {
      await expect(listenTo(out.url, { token })).rejects.toThrow(/identity\./);
    }
  });

  test("lets nobody follow another's order, nor an order of no form", async () => {
    const { token } = await signIn(out, 821, "acheteur");
    const ear = await listenTo(out.url, { token });
    for (const id of ["1", 1, -1, "x", null, undefined, {}, [], "9".repeat(30), 1e300, "1\0"]) {
      expect(await ear.follow(id), String(id)).toEqual({ success: false });
    }
    ear.close();
  });

  test("shuts behind whoever logs out", async () => {
    const { token } = await signIn(out, 822, "acheteur");
    const ear = await listenTo(out.url, { token });
    const gone = new Promise((resolve) => ear.onGone(resolve));
    await out.call("POST", "/api/auth/logout", { token });
    await gone;
    await expect(listenTo(out.url, { token })).rejects.toThrow(/identity\./);
  });
});

describe("another seller", () => {
  let channel: Channel;
  let first: Awaited<ReturnType<typeof signIn>>;
  const CHAT = -1_001_000_001_555;

  beforeAll(async () => {
    first = await signIn(out, 901, "vendeur");
    channel = await linkGroup(out, first, { chatId: CHAT });
  });

  test("finds nothing of the first: each call answers as for what does not exist", async () => {
    const { id } = await publishProduct(out, { seller: first, group: channel });
    const buyer = await signIn(out, 961, "acheteur");
    const made = await orderProduct(
      out,
      buyer,
      (await publishProduct(out, { seller: first, group: channel })).reference,
    );
    const { token } = await signIn(out, 962, "vendeur");
    const calls: readonly (readonly [string, (id: string) => string, unknown?])[] = [
      ["GET", (each) => `/api/products/${each}`],
      ["PUT", (each) => `/api/products/${each}`, { status: "inactive" }],
      ["DELETE", (each) => `/api/products/${each}`],
      ["GET", (each) => `/api/products/${each}/members`],
    ];
    for (const [method, path, body] of calls) await expectAlike({ token, method, path, body }, id);
    await expectAlike({ token, method: "GET", path: (each) => `/api/orders/${each}` }, made.id);
    const group = (each: string) => `/api/channels/${each}`;
    await expectAlike({ token, method: "GET", path: group }, channel.id);
    const refresh = (each: string) => `/api/channels/${each}/refresh`;
    await expectAlike({ token, method: "POST", path: refresh }, channel.id);
    const mine = await out.call<{ subscriptions: unknown[] }>(
      "GET",
      `/api/subscriptions?product=${id}`,
      { token },
    );
    expect(mine.body.subscriptions).toEqual([]);
  });

  test("publishes nothing in the group of the first, by our id or Telegram's", async () => {
    const { token } = await signIn(out, 962, "vendeur");
    const durations = await out.call<{ id: string }[]>("GET", "/api/config/subscription_durations");
    for (const groupId of [channel.id, String(CHAT), "999999"]) {
      const form = {
        title: "Volé",
        price: "500",
        duration: durations.body[0]?.id ?? "",
        group_id: groupId,
        image: await picture({ width: 40, height: 30 }),
      };
      const answer = await out.call("POST", "/api/products", { token, form });
      expect(answer.status).toBe(404);
      expect(answer.body.message).toBe("Groupe ou canal introuvable.");
    }
  });
});

type Probe = {
  readonly token: string;
  readonly method: string;
  path(id: string): string;
  readonly body?: unknown;
};

async function expectAlike({ token, method, path, body }: Probe, id: string): Promise<void> {
  const sent = { token, ...(body === undefined ? {} : { body }) };
  const foreign = await out.call(method, path(id), sent);
  const absent = await out.call(method, path("987654321"), sent);
  expect(foreign.status, `${method} ${path(id)}`).toBe(404);
  expect(foreign.body).toEqual(absent.body);
}
