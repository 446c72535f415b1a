import { type CreateOrderAnswer, KNOWN_PROVIDERS } from "@sesame/contract/checkout";
import type { AnswerOf } from "@sesame/contract/routes";
import { assert } from "@sesame/kernel";
import { check } from "@sesame/ledger";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { messagesTo } from "../../../test/groups.ts";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { leaseOne } from "../../../test/outbox.ts";
import { fundSeller } from "../../../test/withdrawals.ts";
import { brokenSales } from "../../upkeep/books.view.ts";
import { plansJobs } from "./index.ts";

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  expect(await check(app.db)).toEqual([]);
  expect(await brokenSales(app.db, 10)).toEqual([]);
  await app.close();
});

test.each(KNOWN_PROVIDERS)(
  "premium bought by %s is one sale of the platform's",
  async (provider) => {
    const seller = await app.signInSeller();
    await fundSeller(app, seller, 4_000, "free");
    const { token } = seller;
    const made = await app.call<CreateOrderAnswer>("POST", "/api/orders", {
      token,
      body: { plan: "payant", provider },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const { id } = made.body;
    if (provider === "kkiapay")
      app.emulators.kkiapay.open({ amount: 5_000, data: id, partnerId: id });
    app.emulators.collectors[provider].settle(id, "success", { personId: seller.person.id });
    await app.drain();
    const { body } = await app.call<AnswerOf<"GET /api/users/:id/abonnement">>(
      "GET",
      `/api/users/${seller.id}/abonnement`,
      {
        token,
      },
    );
    expect(body).toMatchObject({ type_plan: "payant", premium_state: "running" });
    expect(body.abonnements).toMatchObject([{ id, prix: 5_000, rembourse: false }]);
    const { rows } = await sql<{ key: string; amount: bigint }>`
    SELECT a.key, e.amount FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id
    WHERE e.transfer_id = ${`sale:${id}`} ORDER BY a.key
  `.execute(app.db);
    expect(rows).toEqual([
      { key: "platform:subscriptions", amount: 5_000n },
      { key: `provider:${provider}`, amount: -5_000n },
    ]);
  },
);

test("premium bought is told once, though the worker dies when he has told it", async () => {
  const seller = await app.signInSeller();
  const personId = seller.person.id;
  app.emulators.telegram.sendMessage({ personId, to: { bot: "seller" }, text: "/start" });
  await app.drain();
  const { clock } = app;
  const { db } = app.core;
  const made = await app.call<CreateOrderAnswer>("POST", "/api/orders", {
    token: seller.token,
    body: { plan: "payant", provider: "moneroo" },
  });
  const now = clock.now();
  await sql`SELECT settle_payments('plan', array_agg(id), ARRAY[${now}]::timestamptz[], ${now})
    FROM payments WHERE order_id = ${made.body.id}`.execute(db);
  const [telling] = plansJobs(app.core);
  const job = await leaseOne({ db, clock }, "plans.tell-bought");
  assert(telling && job, "a plan that is paid has its word to be said");
  await telling.run(job);
  clock.advance(1_000);
  await app.drain();
  const said = messagesTo(app.emulators, personId, "seller").map(({ text }) => text);
  expect(said.filter((text) => text.includes("Votre plan Premium est actif"))).toHaveLength(1);
});
