import { sign } from "@tma.js/init-data-node";
import { addMs, DAY_MS, MINUTE_MS } from "@sesame/kernel";
import type { SellerSignInAnswer } from "@sesame/contract/identity";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  AGENT_ID,
  BUYER_BOT_TOKEN,
  SELLER_BOT_TOKEN,
  startTestApp,
  type TestApp,
} from "../../../test/harness.ts";

/** WIRE §3. */
const REFUSED_A_MINUTE = 20;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.close());

const header = (raw: string) => ({ headers: { "x-telegram-init-data": raw } });

describe("signing in as a seller", () => {
  test("gives a token, the user and empty lists on the first day", async () => {
    const person = await app.person({ first_name: "Awa", last_name: "Koné", username: "awa" });
    const answer = await app.call<SellerSignInAnswer>(
      "GET",
      "/api/auth/vendeur?telegram_id=1&username=someone-else",
      header(app.initData(person)),
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.body).toMatchObject({
      success: true,
      user: {
        telegram_id: person.id,
        username: "awa",
        nom: "Awa Koné",
        deja: false,
        plan: false,
        type_plan: "gratuit",
        balanceGratuit: 0,
        balancePayant: 0,
        soldeDisponible: 0,
        retrait_auto: 0,
        retraitAuto: { active: false },
        agent: false,
      },
      channels: [],
      products: [],
      vendorSubscriptions: [],
      withdrawalRequests: [],
      accueil: { transactions: [], claims_waiting: 0 },
    });
  });

  test("is the same person each time, with the same init data too", async () => {
    const person = await app.person();
    const raw = app.initData(person);
    const first = await app.call<SellerSignInAnswer>("POST", "/api/auth/vendeur", {
      ...header(raw),
      body: { telegram_id: 42 },
    });
    const second = await app.call<SellerSignInAnswer>("POST", "/api/auth/vendeur", header(raw));
    expect(second.body.user.id).toBe(first.body.user.id);
    expect(second.body.token).not.toBe(first.body.token);
  });

  test("ten first sign-ins at once make one seller", async () => {
    const person = await app.person();
    const answers = await Promise.all(Array.from({ length: 10 }, () => app.signInSeller(person)));
    expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
  });

  test("believes init data signed by @tma.js/init-data-node with either bot's token", async () => {
    for (const token of [SELLER_BOT_TOKEN, BUYER_BOT_TOKEN]) {
      const user = { id: 6_500_000_001, first_name: "Sékou & fils", language_code: "fr" };
      const raw = sign({ user, can_send_after: 10 }, token, app.clock.now());
      const answer = await app.call("POST", "/api/auth/vendeur", header(raw));
      expect(answer.status).toBe(200);
    }
  });

  test("names agents from the configuration", async () => {
    const agent = await app.signInSeller({ id: AGENT_ID, first_name: "Agent" });
    expect(agent.user).toMatchObject({ agent: true, operator: false });
  });
});

describe("a proof that is none", () => {
  const refusals: [string, (raw: string) => string, string][] = [
    ["no init data", () => "", "identity.init-data-missing"],
    ["a forged hash", (raw) => raw.replace(/hash=../, "hash=00"), "identity.init-data-forged"],
    ["a hash in capitals", (raw) => upperHash(raw), "identity.init-data-forged"],
    ["no hash", (raw) => raw.replace(/&hash=.*/, ""), "identity.init-data-forged"],
    ["a key twice", (raw) => `${raw}&auth_date=1`, "identity.init-data-forged"],
    [
      "a changed user",
      (raw) => raw.replace("first_name", "first_nama"),
      "identity.init-data-forged",
    ],
    ["a pair without a name", (raw) => `${raw}&`, "identity.init-data-forged"],
    [
      "no signature left",
      (raw) => raw.replace(/signature=[^&]*&/, ""),
      "identity.init-data-forged",
    ],
  ];
  test.each(refusals)("is refused: %s", async (_name, spoil, code) => {
    const raw = spoil(app.initData(await app.person()));
    for (const door of ["/api/auth/vendeur", "/api/auth/acheteur"]) {
      const answer = await app.call("POST", door, header(raw));
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({ success: false, code });
      expect(answer.body.message).toMatch(/Telegram\.$/);
    }
  });

  test("is refused when older than 24 h, or from more than 60 s ahead", async () => {
    const person = await app.person();
    const at = async (shiftMs: number) => {
      const raw = app.initData(person, { authDate: addMs(app.clock.now(), shiftMs) });
      return app.call("POST", "/api/auth/acheteur", header(raw));
    };
    expect((await at(-DAY_MS)).status).toBe(200);
    expect((await at(-DAY_MS - 1_000)).body.code).toBe("identity.init-data-stale");
    expect((await at(MINUTE_MS)).status).toBe(200);
    expect((await at(MINUTE_MS + 1_000)).body.code).toBe("identity.init-data-future");
  });

  test("another bot's signature, a bot's and an empty user's prove nothing", async () => {
    const refuse = async (user: object, token: string) => {
      const raw = sign({ user } as never, token, app.clock.now());
      const answer = await app.call("POST", "/api/auth/acheteur", header(raw));
      expect(answer.body.code).toBe("identity.init-data-forged");
    };
    await refuse({ id: 6_500_000_002, first_name: "X" }, "7000000009:another-bot");
    await refuse({ id: 6_500_000_003, first_name: "X", is_bot: true }, SELLER_BOT_TOKEN);
    await refuse({ first_name: "X" }, SELLER_BOT_TOKEN);
  });
});

describe("a session", () => {
  test("ends at logout, and so does the init data it came from", async () => {
    const person = await app.person();
    const raw = app.initData(person);
    const seller = await app.signInSeller(person);
    const own = `/api/users/${seller.id}`;
    expect((await app.call("GET", own, { token: seller.token })).status).toBe(200);
    const out = await app.call("POST", "/api/auth/logout", { token: seller.token });
    expect(out).toMatchObject({ status: 200, body: { success: true } });
    expect((await app.call("GET", own, { token: seller.token })).status).toBe(401);
    const again = await app.call("POST", "/api/auth/vendeur", header(raw));
    expect(again.body.code).toBe("identity.init-data-revoked");
    app.clock.advance(1_000);
    expect((await app.signInSeller(person)).id).toBe(seller.id);
  });

  test("ends after thirty days", async () => {
    const seller = await app.signInSeller();
    const own = `/api/users/${seller.id}`;
    app.clock.advance(30 * DAY_MS - 1);
    expect((await app.call("GET", own, { token: seller.token })).status).toBe(200);
    app.clock.advance(1);
    expect((await app.call("GET", own, { token: seller.token })).status).toBe(401);
    app.clock.advance(DAY_MS + 1);
    await app.drain();
  });

  test("is kept as a hash only", async () => {
    const { token } = await app.signInBuyer();
    const { sql } = await import("kysely");
    const { rows } = await sql<{ found: boolean }>`
      SELECT EXISTS (SELECT FROM sessions WHERE position(${Buffer.from(token)} IN token_hash) > 0)
        AS found
    `.execute(app.db);
    expect(rows[0]?.found).toBe(false);
  });
});

describe("refused sign-ins", () => {
  test("are held back after twenty a minute for one person, never a good proof", async () => {
    const person = await app.person();
    const other = await app.person();
    const forged = (who: typeof person) => app.initData(who).replace(/hash=../, "hash=zz");
    const attempt = (raw: string) => app.call("POST", "/api/auth/vendeur", header(raw));
    for (let count = 0; count < REFUSED_A_MINUTE; count++) {
      expect((await attempt(forged(person))).status).toBe(401);
    }
    const held = await attempt(forged(person));
    expect(held.status).toBe(429);
    expect(Number(held.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await attempt(forged(other))).status).toBe(401);
    expect((await attempt(app.initData(person))).status).toBe(200);
    app.clock.advance(MINUTE_MS);
    expect((await attempt(forged(person))).status).toBe(401);
  });
});

function upperHash(raw: string): string {
  return raw.replace(/hash=([0-9a-f]+)/, (_all, hash: string) => `hash=${hash.toUpperCase()}`);
}
