import type { AnswerOf } from "@sesame/contract/routes";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../../../../../tools/testing/eventually.ts";
import { type SignedInBuyer, startTestApp, type TestApp } from "../../../../test/harness.ts";
import { listenTo } from "../../../../test/wire/sockets.ts";
import { createDeskFixtures, DESK_ENV, type DeskFixtures } from "../../../../test/withdrawals.ts";

let app: TestApp;
let desk: DeskFixtures;
let awa: SignedInBuyer;
let binta: SignedInBuyer;

beforeAll(async () => {
  app = await startTestApp({ env: DESK_ENV });
  desk = createDeskFixtures(app);
  awa = await desk.agent(0);
  binta = await desk.agent(1);
});
afterAll(() => app?.close());

describe("a request in detail", () => {
  test("opens WhatsApp with its own words", async () => {
    const { id, reference_transaction: reference } = await desk.request({ amount: 6_500 });
    const { whatsapp_url } = await desk.detail(awa, id);
    const url = new URL(whatsapp_url ?? "");
    expect(url.origin + url.pathname).toBe("https://wa.me/2250701020304");
    const text = url.searchParams.get("text") ?? "";
    expect(text).toContain(reference);
    expect(text).toMatch(/6.500 FCFA par Orange Money CI/);
  });

  test("tells who did what with it", async () => {
    const { id } = await desk.request();
    await desk.act(awa, { id, action: "claim" });
    await desk.act(awa, {
      id,
      action: "reject",
      body: { reason_code: "other", reason: "Doublon" },
    });
    const { trace } = await desk.detail(binta, id);
    expect(trace.map(({ label, by, reason }) => [label, by, reason])).toEqual([
      ["Rejetée", "Agent 0", "Doublon"],
      ["Prise en charge", "Agent 0", null],
      ["Demande reçue", null, null],
    ]);
  });

  test("is nobody's but the staff's", async () => {
    const { id, seller } = await desk.request();
    for (const path of ["", "/withdrawals", `/withdrawals/${id}`]) {
      expect((await desk.call(seller, path)).status).toBe(403);
    }
    expect((await desk.act(seller, { id, action: "claim" })).status).toBe(403);
    expect((await desk.call(awa, "/withdrawals/999999999")).status).toBe(404);
    expect((await desk.call(awa, "/withdrawals/x")).status).toBe(400);
  });
});

describe("the desk's room", () => {
  test("hears of every change, and holds the staff alone", async () => {
    const { id, seller } = await desk.request();
    const agent = await listenTo(app.url, { token: binta.token });
    const own = await listenTo(app.url, { token: seller.token });
    await desk.act(awa, { id, action: "claim" });
    await eventually(() =>
      expect(agent.heard).toEqual([{ name: "desk:changed", body: { what: "withdrawal", id } }]),
    );
    // What comes after it on the same road has come: nothing was on its way to the seller.
    await desk.act(awa, { id, action: "release" });
    await eventually(() => expect(agent.heard).toHaveLength(2));
    expect(own.heard.filter(({ name }) => name !== "withdrawal:status")).toEqual([]);
    agent.close();
    own.close();
  });
});

test("the buyers' door says who is of the staff, and makes no seller of him", async () => {
  expect((await desk.agent(5)).user).toMatchObject({ agent: true, operator: false });
  expect((await desk.operator()).user).toMatchObject({ agent: false, operator: true });
  expect((await app.signInBuyer()).user).toMatchObject({ agent: false, operator: false });
  const { body } = await desk.call<AnswerOf<"GET /api/desk">>(await desk.operator(), "");
  expect(body).toMatchObject({
    me: { name: "Opérateur 0", agent: false, operator: true },
    hours: { label: "lun.–ven. 9h–17h" },
    lanes: [
      { id: "manual", open: true },
      { id: "paydunya", open: true },
      { id: "moneroo", open: true },
      { id: "fedapay", open: true },
    ],
    second_agent_from: 100_000,
    claim_minutes: 15,
  });
  const { rows } = await sql`SELECT FROM sellers WHERE id = ${BigInt(body.me.id)}`.execute(app.db);
  expect(rows).toEqual([]);
});
