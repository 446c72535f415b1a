import type { SellerSignInAnswer, UserAnswer } from "@sesame/contract/identity";
import { addMs, DAY_MS, MINUTE_MS } from "@sesame/kernel";
import { isValid, sign } from "@tma.js/init-data-node";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  AGENT_ID,
  BUYER_BOT_TOKEN,
  SELLER_BOT_TOKEN,
  type SignedInSeller,
  startTestApp,
} from "../../../test/harness.ts";
import { signInitData, type SomeBody } from "../../../test/http.ts";
import { createInitDataVerifier } from "./init-data.ts";

const app = await startTestApp();

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
      accueil: { transactions: [], complaints_waiting: 0 },
    });
  });

  test("is the same person each time, with the same init data too", async () => {
    const person = await app.person();
    const raw = app.initData(person);
    const signIn = (body?: object) =>
      app.call<SellerSignInAnswer>("POST", "/api/auth/vendeur", { ...header(raw), body });
    const first = await signIn({ telegram_id: 42 });
    const second = await signIn();
    expect(second.body.user.id).toBe(first.body.user.id);
    expect(second.body.token).not.toBe(first.body.token);
  });

  test("ten first sign-ins at once make one seller", async () => {
    const person = await app.person();
    const answers = await Promise.all(Array.from({ length: 10 }, () => app.signInSeller(person)));
    expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
  });

  test("accepts init data signed by @tma.js/init-data-node with either bot's token", async () => {
    for (const token of [SELLER_BOT_TOKEN, BUYER_BOT_TOKEN]) {
      const user = { id: 6_500_000_001, first_name: "Sékou & fils", language_code: "fr" };
      const raw = sign({ user, can_send_after: 10 }, token, app.clock.now());
      const answer = await app.call("POST", "/api/auth/vendeur", header(raw));
      expect(answer.status).toBe(200);
    }
  });

  test("recognises agents by the configuration", async () => {
    const agent = await app.signInSeller({ id: AGENT_ID, first_name: "Agent" });
    expect(agent.user).toMatchObject({ agent: true, operator: false });
  });
});

describe("an invalid proof", () => {
  const refusals: [string, (raw: string) => string, string][] = [
    ["no init data", () => "", "init-data-missing"],
    ["a forged hash", (raw) => raw.replace(/hash=../, "hash=00"), "init-data-forged"],
    ["a hash in capitals", (raw) => upperHash(raw), "init-data-forged"],
    ["no hash", (raw) => raw.replace(/&hash=.*/, ""), "init-data-forged"],
    ["a key twice", (raw) => `${raw}&auth_date=1`, "init-data-forged"],
    ["a changed user", (raw) => raw.replace("first_name", "first_nama"), "init-data-forged"],
    ["a pair without a name", (raw) => `${raw}&`, "init-data-forged"],
    ["no signature left", (raw) => raw.replace(/signature=[^&]*&/, ""), "init-data-forged"],
  ];
  test.each(refusals)("is refused: %s", async (_name, spoil, code) => {
    const raw = spoil(app.initData(await app.person()));
    for (const door of ["/api/auth/vendeur", "/api/auth/acheteur"]) {
      const message = expect.stringMatching(/Telegram\.$/);
      const body = { success: false, code: `identity.${code}`, message };
      expect(await app.call("POST", door, header(raw))).toMatchObject({ status: 401, body });
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
    expect((await app.call("GET", own, seller)).status).toBe(200);
    const out = await app.send("POST /api/auth/logout", seller);
    expect(out).toMatchObject({ status: 200, body: { success: true } });
    expect((await app.call("GET", own, seller)).status).toBe(401);
    const again = await app.call("POST", "/api/auth/vendeur", header(raw));
    expect(again.body.code).toBe("identity.init-data-revoked");
    app.clock.advance(1_000);
    expect((await app.signInSeller(person)).id).toBe(seller.id);
  });

  test("ends after thirty days", async () => {
    const seller = await app.signInSeller();
    const own = `/api/users/${seller.id}`;
    app.clock.advance(30 * DAY_MS - 1);
    expect((await app.call("GET", own, seller)).status).toBe(200);
    app.clock.advance(1);
    expect((await app.call("GET", own, seller)).status).toBe(401);
    await app.advance(DAY_MS + 1);
  });

  test("is stored as a hash only", async () => {
    const { token } = await app.signInBuyer();
    const clear = await app.sql`
      SELECT FROM sessions WHERE position(${Buffer.from(token)} IN token_hash) > 0`;
    expect(clear).toEqual([]);
  });
});

const upperHash = (raw: string): string =>
  raw.replace(/hash=([0-9a-f]+)/, (_all, hash: string) => `hash=${hash.toUpperCase()}`);

const put = (seller: SignedInSeller, body: unknown) =>
  app.call<UserAnswer & SomeBody>("PUT", `/api/users/${seller.id}`, { token: seller.token, body });
const read = async (seller: SignedInSeller) =>
  (await app.read("GET /api/users/:id", seller, { id: seller.id })).user;

describe("updating the user", () => {
  test("accepts the profile, onboarding and the free plan; the date is the server's", async () => {
    const seller = await app.signInSeller();
    app.clock.advance(1_000);
    const kept = { plan: true, type_plan: "gratuit", deja: true, country: "CI" };
    const answer = await put(seller, {
      ...kept,
      updated_at: "1999-01-01T00:00:00.000Z",
      display_name: "  Chez Awa ",
      whatsapp_number: "+225 07 00 00 00 01",
    });
    const user = {
      ...kept,
      nom: "Chez Awa",
      display_name: "Chez Awa",
      whatsapp_number: "+2250700000001",
      groups_max: 3,
      capabilities: [],
      updated_at: app.clock.now().toISOString(),
    };
    expect(answer).toMatchObject({ status: 200, body: { success: true, user } });
    const cleared = await put(seller, { display_name: "", country: null });
    expect(cleared.body.user).toMatchObject({ display_name: null, country: null, deja: true });
  });

  test("with the whole user sent back changes nothing but the date", async () => {
    const seller = await app.signInSeller();
    await put(seller, { type_plan: "gratuit", deja: 1 });
    const before = await read(seller);
    const after = await put(seller, { ...before, balanceGratuit: 1_000_000, id: "1" });
    expect(after.body.user).toEqual({ ...before, updated_at: after.body.user.updated_at });
  });

  test("buys nothing, whatever is sent, and then writes nothing", async () => {
    const seller = await app.signInSeller();
    const bought = await put(seller, { type_plan: "payant", plan: true, deja: true });
    expect(bought).toMatchObject({ status: 403, body: { code: "plans.premium-not-bought" } });
    for (const type_plan of ["gold", 7, ["gratuit"], { a: 1 }, true]) {
      const answer = await put(seller, { type_plan, deja: true });
      expect(answer).toMatchObject({ status: 400, body: { code: "plans.unknown-plan" } });
    }
    expect(await read(seller)).toMatchObject({ plan: false, deja: false });
  });

  test("a premium seller keeps the plan, and cannot leave it early", async () => {
    const seller = await app.seller({ plan: "premium" });
    expect(await read(seller)).toMatchObject({ type_plan: "payant", groups_max: null });
    expect((await put(seller, { type_plan: "payant" })).status).toBe(200);
    const dropped = await put(seller, { type_plan: "gratuit" });
    expect(dropped).toMatchObject({ status: 409, body: { code: "plans.premium-running" } });
  });

  test("wrong types and broken bodies are malformed", async () => {
    const seller = await app.signInSeller();
    for (const body of [{ deja: "yes" }, { country: "Ivoire" }, { display_name: 7 }, "[]", "{"]) {
      const answer = await put(seller, body);
      expect(answer).toMatchObject({ status: 400, body: { code: "request.malformed" } });
    }
    expect((await app.call("GET", "/api/users/abc", seller)).status).toBe(400);
  });
});

test("a buyer is no seller, though the same person may be both", async () => {
  const person = await app.person({ allows_write_to_pm: true });
  const buyer = await app.signInBuyer(person);
  expect(buyer.user.can_be_written_to).toBe(true);
  const own = `/api/users/${buyer.id}`;
  expect((await app.call("GET", own, buyer)).status).toBe(403);
  expect(await app.sql`SELECT FROM sellers WHERE id = ${BigInt(buyer.id)}`).toEqual([]);
  const seller = await app.signInSeller(person);
  expect(seller.id).toBe(buyer.id);
  expect((await app.call("GET", own, seller)).status).toBe(200);
});

test("the socket's registration of old clients is answered with the caller's own id, whatever id is sent", async () => {
  const seller = await app.signInSeller();
  const body = { idsocket: "abc", iduser: "1", role: "vendeur" };
  expect(await app.send("POST /api/socket/add", seller, body)).toMatchObject({
    status: 200,
    body: { success: true, data: { ...body, iduser: seller.id } },
  });
});

test("the plans are listed with their true prices and open providers, and compared line by line", async () => {
  const answer = await app.read("GET /api/plans");
  const table = answer.comparison.map(({ label, free, premium }) => [label, free, premium]);
  expect(table).toEqual([
    ["Solutions de paiement", "Intégrées", "Intégrées et vos propres clés"],
    ["Frais par transaction", "18 %", "0 %"],
    ["Retraits", "Une fois par semaine", "À tout moment"],
    ["Support", "Standard", "Prioritaire"],
    ["Groupes et canaux", "3 maximum", "Illimités"],
    ["Statistiques avancées", "Non", "Oui"],
    ["API développeur", "Non", "Oui"],
    ["Configuration personnalisée", "Non", "Oui"],
  ]);
  expect(answer).toMatchObject({
    success: true,
    currency: "XOF",
    break_even: 27_778,
    grace_days: 7,
    plans: [
      { type_plan: "gratuit", price: 0, fee_percent: 18, groups_max: 3, withdrawals: "weekly" },
      {
        type_plan: "payant",
        price: 5_000,
        price_eur: 7.62,
        period_days: 30,
        fee_percent: 0,
        groups_max: null,
        withdrawals: "instant",
      },
    ],
    providers: expect.arrayContaining([expect.objectContaining({ id: "moneroo" })]),
  });
});

const TOKEN = "7000000001:a-token";
const NOW = new Date("2026-11-16T09:00:00.000Z");
const verify = createInitDataVerifier([{ name: "seller", token: TOKEN }]);
const runs = process.env.LONG === "1" ? 10_000 : 1_000;

const raw = signInitData(
  { id: 6_000_000_001, first_name: "Awa", last_name: "Koné & fils", username: "awa" },
  { token: TOKEN, authDate: NOW, startParam: "abcDEF2345" },
);

/** The parsed pairs: two texts with the same pairs are the same init data. */
function meaningOf(text: string): string {
  const pairs = text.split("&").map((pair) => {
    try {
      return decodeURIComponent(pair.replaceAll("+", " "));
    } catch {
      return `undecodable ${pair}`;
    }
  });
  return pairs.sort().join("\n");
}

describe("init data", () => {
  test("of Telegram's library are accepted, and the library accepts ours", () => {
    const user = { id: 1, first_name: "É 你 &=%+", last_name: "", language_code: "fr" };
    expect(verify(sign({ user }, TOKEN, NOW), NOW).ok).toBe(true);
    expect(verify(raw, NOW).ok).toBe(true);
    expect(isValid(raw, TOKEN, { expiresIn: 0 })).toBe(true);
  });

  test("agree with the library for any user", () => {
    fc.assert(
      fc.property(
        fc.record({
          id: fc.integer({ min: 1 }),
          first_name: fc.string({ unit: "binary" }),
          username: fc.option(fc.string({ unit: "grapheme" }), { nil: undefined }),
        }),
        fc.option(fc.string({ unit: "grapheme" }), { nil: undefined }),
        (user, start_param) => {
          const signed = sign({ user, ...(start_param ? { start_param } : {}) }, TOKEN, NOW);
          const read = verify(signed, NOW);
          expect(read.ok && read.value.telegramId).toBe(BigInt(user.id));
        },
      ),
      { numRuns: runs / 10 },
    );
  });

  test("changed in any place are refused", () => {
    const position = fc.nat(raw.length - 1);
    const replaced = (at: number, count: number, text: string) =>
      raw.slice(0, at) + text + raw.slice(at + count);
    const flipped = (at: number, bit: number) =>
      String.fromCharCode(raw.charCodeAt(at) ^ (1 << bit));
    const pairs = raw.split("&");
    const text = fc.string({ minLength: 1 });
    const mutation = fc.oneof(
      fc
        .tuple(position, fc.string({ minLength: 1, maxLength: 3 }))
        .map(([at, other]) => replaced(at, other.length, other)),
      fc.tuple(position, fc.nat(20)).map(([at, count]) => replaced(at, count, "")),
      fc.tuple(position, text).map(([at, more]) => replaced(at, 0, more)),
      fc.tuple(position, fc.nat(7)).map(([at, bit]) => replaced(at, 1, flipped(at, bit))),
      fc.constantFrom(...pairs).map((pair) => `${raw}&${pair}`),
      fc.constantFrom(...pairs).map((pair) => pairs.filter((one) => one !== pair).join("&")),
    );
    fc.assert(
      fc.property(mutation, (mutated) => {
        fc.pre(meaningOf(mutated) !== meaningOf(raw));
        expect(verify(mutated, NOW).ok).toBe(false);
      }),
      { numRuns: runs },
    );
  });

  test("of any text at all never throw", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        expect(verify(text, NOW).ok).toBe(false);
      }),
      { numRuns: runs },
    );
  });

  test("longer than any of Telegram's are refused unread", () => {
    expect(verify(`${raw}&x=${"y".repeat(10_000)}`, NOW).ok).toBe(false);
  });
});
