import { MINUTE_MS } from "@sesame/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SignedInBuyer, startTestApp, type TestApp } from "../../../../test/harness.ts";
import {
  createDeskFixtures,
  DESK_ENV,
  type DeskFixtures,
  sellerBalance,
} from "../../../../test/withdrawals.ts";

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

const WRONG_NUMBER = { reason_code: "wrong-number" };

describe("a claim", () => {
  test("gives a request to one agent for 15 minutes, and to nobody else", async () => {
    const { id } = await desk.request();
    const taken = await desk.act(awa, { id, action: "claim" });
    expect(taken).toMatchObject({ status: 200, body: { status: "pending", waiting: null } });
    expect(taken.body.withdrawal).toMatchObject({
      stage: "claimed",
      claim: { by: { name: "Agent 0" }, mine: true, seconds_left: 900 },
      may: { approve: { allowed: true, reason: null } },
    });
    const late = await desk.act(binta, { id, action: "claim" });
    expect(late).toMatchObject({
      status: 409,
      body: { code: "desk.claimed-by-other", message: "Agent 0 s'occupe déjà de cette demande." },
    });
    expect((await desk.detail(binta, id)).may.approve.allowed).toBe(false);
  });

  test("is one agent's when twenty tap at once", async () => {
    const { id } = await desk.request();
    const agents = await desk.agents(20);
    const answers = await Promise.all(
      agents.map((agent) => desk.act(agent, { id, action: "claim" })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === "desk.claimed-by-other")).toHaveLength(19);
    expect(await desk.deeds(id)).toEqual(["withdrawal.claim"]);
  });

  test("ends by itself: the request is free, and its agent is told so", async () => {
    const { id } = await desk.request();
    await desk.act(awa, { id, action: "claim" });
    app.clock.advance(15 * MINUTE_MS);
    expect(await desk.act(awa, { id, action: "approve", body: { lane: "manual" } })).toMatchObject({
      status: 409,
      body: { code: "desk.claim-expired" },
    });
    expect((await desk.detail(awa, id)).stage).toBe("pending");
    expect((await desk.act(binta, { id, action: "claim" })).status).toBe(200);
    expect(await desk.act(awa, { id, action: "reject", body: WRONG_NUMBER })).toMatchObject({
      status: 409,
      body: { code: "desk.claimed-by-other" },
    });
  });

  test("is renewed by acting, and given back by releasing", async () => {
    const { id } = await desk.request();
    await desk.act(awa, { id, action: "claim" });
    app.clock.advance(10 * MINUTE_MS);
    const again = await desk.act(awa, { id, action: "claim" });
    expect(again.body.withdrawal.claim?.seconds_left).toBe(900);
    expect(await desk.act(binta, { id, action: "release" })).toMatchObject({ status: 409 });
    expect((await desk.act(awa, { id, action: "release" })).body.withdrawal.claim).toBeNull();
    expect(await desk.act(awa, { id, action: "release" })).toMatchObject({
      status: 409,
      body: { code: "desk.not-claimed" },
    });
  });

  test("keeps the seller from cancelling, until it is over", async () => {
    const { id, seller } = await desk.request();
    await desk.act(awa, { id, action: "claim" });
    const cancel = () =>
      app.call("DELETE", `/api/users/retrait/annuler/${id}`, { token: seller.token });
    const early = await cancel();
    expect([409, 422]).toContain(early.status);
    app.clock.advance(15 * MINUTE_MS);
    expect((await cancel()).status).toBe(200);
    expect(await desk.act(awa, { id, action: "claim" })).toMatchObject({
      status: 409,
      body: {
        code: "desk.already-decided",
        message: "Cette demande est déjà annulée par le vendeur.",
      },
    });
  });

  test("and a cancel at the same instant never both win", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, seller } = await desk.request({ amount: 1_000 });
      const [claimed, cancelled] = await Promise.all([
        desk.act(awa, { id, action: "claim" }),
        app.call("DELETE", `/api/users/retrait/annuler/${id}`, { token: seller.token }),
      ]);
      expect([claimed.status, cancelled.status].filter((status) => status === 200)).toHaveLength(1);
      const { held } = await sellerBalance(app, seller, "premium");
      expect(held).toBe(claimed.status === 200 ? 1_000 : 0);
    }
  });
});
