import type { AnswerOf } from "@sesame/contract/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createSellerFixtures,
  lastTo,
  messagesTo,
  RIGHTS,
  type SellerFixtures,
  tap,
} from "../../../test/groups.ts";
import { startTestApp, type TestApp } from "../../../test/harness.ts";

let app: TestApp;
let scene: SellerFixtures;

beforeAll(async () => {
  app = await startTestApp();
  scene = createSellerFixtures(app);
});
afterAll(async () => {
  await app.close();
});

describe("a linked group", () => {
  test("shows the loss of rights, the removal of the bot and its return", async () => {
    const seller = await scene.sellerInTouch();
    const group = await app.linkGroup(seller, { title: "Instable" });
    await scene.settle();
    const ids = { personId: seller.person.id, chatId: group.chatId, bot: "seller" as const };
    const state = async () => (await scene.channelsOf(seller.token))[0]?.details.state;
    app.emulators.telegram.setBotRights({ ...ids, rights: ["manage_chat", "invite_users"] });
    await scene.settle();
    expect(await state()).toBe("missing_rights");
    app.emulators.telegram.removeBot(ids);
    await scene.settle();
    expect(await state()).toBe("removed");
    expect(lastTo(app.emulators, ids.personId, "seller").text).toContain(
      "Je ne suis plus dans Instable",
    );
    app.emulators.telegram.addBot({ ...ids, rights: [...RIGHTS] });
    await scene.settle();
    expect(await state()).toBe("connected");
  });

  test("takes its new title", async () => {
    const seller = await app.signInSeller();
    const group = await app.linkGroup(seller, { title: "Avant" });
    const { chatId } = group;
    app.emulators.telegram.renameChat({ personId: seller.person.id, chatId, title: "Après" });
    await app.drain();
    expect((await scene.channelsOf(seller.token))[0]?.name).toBe("Après");
  });

  test("is not for sale while it is public, and says why", async () => {
    const seller = await scene.sellerInTouch();
    const personId = seller.person.id;
    const { chatId } = app.emulators.telegram.createChat({
      ownerId: personId,
      kind: "channel",
      title: "Ouvert à tous",
      username: "ouvert_a_tous",
    });
    app.emulators.telegram.addBot({ personId, chatId, bot: "seller", rights: [...RIGHTS] });
    await scene.settle();
    expect((await scene.channelsOf(seller.token))[0]?.details).toMatchObject({
      state: "public",
      sellable: false,
      username: "ouvert_a_tous",
    });
    expect(lastTo(app.emulators, personId, "seller").text).toContain("est public");
  });

  test("beyond the third of the free plan is hors quota", async () => {
    const seller = await scene.sellerInTouch();
    for (const title of ["Un", "Deux", "Trois"]) await app.linkGroup(seller, { title });
    await scene.settle();
    await app.linkGroup(seller, { title: "Quatre" });
    await scene.settle();
    const channels = await scene.channelsOf(seller.token);
    expect(channels.map((channel) => channel.details.state)).toEqual([
      "connected",
      "connected",
      "connected",
      "over_quota",
    ]);
    expect(lastTo(app.emulators, seller.person.id, "seller").text).toContain("hors quota");
  });

  test("is asked about anew by the refresh: rights and members nobody told us of", async () => {
    const seller = await app.signInSeller();
    const group = await app.linkGroup(seller);
    const { chatId } = group;
    const ids = { personId: seller.person.id, chatId };
    app.emulators.telegram.faults.clear();
    app.emulators.panel.setUpdateDelivery({ drop: true });
    const guest = await app.person();
    app.emulators.telegram.addMember({ ...ids, userId: guest.id });
    app.emulators.telegram.setBotRights({ ...ids, bot: "seller", rights: ["manage_chat"] });
    app.emulators.panel.setUpdateDelivery({ drop: false });
    await app.drain();
    expect((await scene.channelsOf(seller.token))[0]?.details.state).toBe("connected");
    const one = await app.call<AnswerOf<"GET /api/channels/:id">>(
      "POST",
      `/api/channels/${group.id}/refresh`,
      {
        token: seller.token,
      },
    );
    expect(one.body.channel.details).toMatchObject({ state: "missing_rights", members: 3 });
    const all = await app.call<AnswerOf<"GET /api/channels">>("POST", "/api/channels/refresh", {
      token: seller.token,
    });
    expect(all.body.channels).toHaveLength(1);
  });

  test("answers “Vérifier” from the chat", async () => {
    const seller = await scene.sellerInTouch();
    const group = await app.linkGroup(seller, { title: "À vérifier", rights: ["manage_chat"] });
    await scene.settle();
    const personId = seller.person.id;
    app.emulators.panel.setUpdateDelivery({ drop: true });
    const ids = { personId, chatId: group.chatId, bot: "seller" as const };
    app.emulators.telegram.setBotRights({ ...ids, rights: [...RIGHTS] });
    app.emulators.panel.setUpdateDelivery({ drop: false });
    tap(app.emulators, { personId, bot: "seller", text: "Vérifier" });
    await scene.settle();
    expect((await scene.channelsOf(seller.token))[0]?.details.state).toBe("connected");
    expect(lastTo(app.emulators, personId, "seller").text).toContain("est relié");
  });

  test("is another seller's as if it did not exist", async () => {
    const owner = await app.signInSeller();
    const other = await app.signInSeller();
    const group = await app.linkGroup(owner);
    for (const [method, path] of [
      ["GET", `/api/channels/${group.id}`],
      ["POST", `/api/channels/${group.id}/refresh`],
    ] as const) {
      const foreign = await app.call(method, path, { token: other.token });
      const absent = await app.call(method, path.replace(group.id, "999999"), {
        token: other.token,
      });
      expect(foreign.status).toBe(404);
      expect(foreign.body).toEqual(absent.body);
    }
  });
});

describe("a seller", () => {
  test("is told once of a state, however often Telegram repeats itself", async () => {
    const seller = await scene.sellerInTouch();
    app.emulators.panel.setUpdateDelivery({ copies: 3 });
    await app.linkGroup(seller, { title: "Répété" });
    app.emulators.panel.setUpdateDelivery({ copies: 1 });
    await scene.settle();
    await scene.settle();
    const told = messagesTo(app.emulators, seller.person.id, "seller");
    expect(told.filter((message) => message.text.includes("est relié"))).toHaveLength(1);
  });

  test("keeps a link message in a group to what Telegram escapes", async () => {
    const seller = await scene.sellerInTouch();
    await app.linkGroup(seller, { title: '<b>&"<script>' });
    await scene.settle();
    expect(lastTo(app.emulators, seller.person.id, "seller").text).toContain(
      '<b>&"<script> est relié',
    );
  });
});
