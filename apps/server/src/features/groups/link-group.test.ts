import { describe, expect, test } from "vitest";
import { buttonOf, createSellerFixtures } from "../../../test/groups.ts";
import { RIGHTS, startTestApp } from "../../../test/harness.ts";
import { createListener } from "../../postgres/listener.ts";
import { REALTIME_CHANNEL, type RealtimeEvent } from "../../realtime/events.store.ts";

const app = await startTestApp();
const { telegram, panel } = app.emulators;
const { sellerInTouch, settle, channelsOf } = createSellerFixtures(app);

describe("a group is linked", () => {
  test("to the seller who added the bot, with its rights", async () => {
    const seller = await sellerInTouch();
    const group = await app.linkGroup(seller, { title: "Trading <VIP>" });
    await settle();
    const [channel, ...others] = await channelsOf(seller.token);
    expect(others).toEqual([]);
    expect(channel).toMatchObject({
      id: group.id,
      name: "Trading <VIP>",
      type: "groupe",
      telegram_group_id: group.chatId,
      details: {
        state: "connected",
        sellable: true,
        missing_rights: [],
        in_quota: true,
        members: 2,
        last_event: "Bot relié",
      },
    });
    const said = app.lastTo(seller.person.id, "seller");
    expect(said.text).toContain("Trading <VIP> est relié");
    expect(buttonOf(said, "Créer un produit").kind).toBe("web_app");
  });

  test("and its seller's screens are notified at once", async () => {
    const seller = await app.signInSeller();
    const listener = createListener(app.databaseUrl);
    const received = new Promise<void>((resolve) => {
      listener.on(REALTIME_CHANNEL, (payload) => {
        const events = JSON.parse(payload) as RealtimeEvent[];
        if (events.some(({ room, name }) => room === `person:${seller.id}` && name === "chatadd")) {
          resolve();
        }
      });
    });
    await listener.start();
    await app.linkGroup(seller);
    await received;
    await listener.close();
  });

  test("channels too", async () => {
    const seller = await app.signInSeller();
    await app.linkGroup(seller, { kind: "channel", title: "Signaux" });
    expect(await channelsOf(seller.token)).toMatchObject([{ name: "Signaux", type: "canal" }]);
  });

  test("with each missing right named, on the screen and in the chat with the bot", async () => {
    const seller = await sellerInTouch();
    const group = await app.linkGroup(seller, { title: "Club", rights: ["manage_chat"] });
    await settle();
    const [channel] = await channelsOf(seller.token);
    expect(channel?.details.state).toBe("missing_rights");
    expect(channel?.details.sellable).toBe(false);
    expect(channel?.details.missing_rights.map((missing) => missing.label)).toEqual([
      "Bannir des utilisateurs",
      "Inviter des utilisateurs avec des liens",
    ]);
    const said = app.lastTo(seller.person.id, "seller");
    expect(said.text).toContain("• Bannir des utilisateurs");
    expect(said.text).toContain("• Inviter des utilisateurs avec des liens");
    expect(buttonOf(said, "Donner les droits").url).toContain("&admin=");
    const personId = seller.person.id;
    telegram.setBotRights({ personId, chatId: group.chatId, bot: "seller", rights: [...RIGHTS] });
    await settle();
    expect((await channelsOf(seller.token))[0]?.details.state).toBe("connected");
    expect(app.lastTo(personId, "seller").text).toContain("est relié");
  });

  test("as a plain member without any right, when its owner adds it by hand", async () => {
    const seller = await app.signInSeller();
    const group = await app.linkGroup(seller, { rights: [] });
    const [channel] = await channelsOf(seller.token);
    expect(channel).toMatchObject({ telegram_group_id: group.chatId });
    expect(channel?.details.missing_rights).toHaveLength(3);
  });
});

test("the link that adds the bot to a channel asks for the rights it needs", async () => {
  const links = await app.read("GET /api/bot/links", await app.signInSeller());
  expect(links.channel).toContain("?startchannel&admin=manage_chat+restrict_members+invite_users");
});

describe("the buyers' bot, added in the place of the sellers'", () => {
  const addBuyersBot = async (title: string, kind: "supergroup" | "channel", talks: boolean) => {
    const seller = await app.signInSeller();
    const personId = seller.person.id;
    if (talks) app.write(personId, "buyer", "/start");
    await app.drain();
    const { chatId } = app.emulators.telegram.createChat({ ownerId: personId, kind, title });
    const rights = kind === "channel" ? ["invite_users" as const] : [];
    app.emulators.telegram.addBot({ personId, chatId, bot: "buyer", rights });
    await settle();
    return { seller, personId, chatId };
  };
  const WRONG =
    /^Je suis le bot des acheteurs : je ne peux pas relier Mon <club>\. .*@SesameVendeurBot /;

  test("names the right one to who added it, in private where it may, and once", async () => {
    const { personId, chatId, seller } = await addBuyersBot("Mon <club>", "supergroup", true);
    const said = app.lastTo(personId, "buyer");
    expect(said.text).toMatch(WRONG);
    expect(buttonOf(said, "Ajouter le bot vendeur").url).toMatch(
      /\?startgroup&admin=manage_chat\+/,
    );
    const before = app.messagesTo(personId, "buyer").length;
    app.emulators.telegram.setBotRights({ personId, chatId, bot: "buyer", rights: [...RIGHTS] });
    await settle();
    expect(app.messagesTo(personId, "buyer")).toHaveLength(before);
    expect(app.messagesIn(chatId)).toEqual([]);
    expect(await channelsOf(seller.token)).toEqual([]);
  });

  test("names it in the group where it may not write to the person; never in a channel", async () => {
    const group = await addBuyersBot("Mon <club>", "supergroup", false);
    const [said, ...more] = app.messagesIn(group.chatId);
    expect(said?.text).toMatch(WRONG);
    expect(more).toEqual([]);
    const channel = await addBuyersBot("Mon <club>", "channel", false);
    expect(app.messagesIn(channel.chatId)).toEqual([]);
  });

  test("says nothing where the sellers' bot is already", async () => {
    const seller = await sellerInTouch();
    const personId = seller.person.id;
    app.write(personId, "buyer", "/start");
    const { chatId } = await app.linkGroup(seller);
    const before = app.messagesTo(personId, "buyer").length;
    app.emulators.telegram.addBot({ personId, chatId, bot: "buyer", rights: [] });
    await settle();
    expect(app.messagesTo(personId, "buyer")).toHaveLength(before);
    expect(app.messagesIn(chatId)).toEqual([]);
  });
});

describe("a basic group", () => {
  test("is refused in the chat with the reason, and linked once it is a supergroup", async () => {
    const seller = await app.signInSeller();
    const personId = seller.person.id;
    const { chatId } = telegram.createChat({
      ownerId: personId,
      kind: "group",
      title: "Petit groupe",
    });
    telegram.addBot({ personId, chatId, bot: "seller", rights: [] });
    await settle();
    expect(await channelsOf(seller.token)).toEqual([]);
    expect(app.messagesIn(chatId)[0]?.text).toContain("groupe simple");
    const grown = telegram.setBotRights({ personId, chatId, bot: "seller", rights: [...RIGHTS] });
    await settle();
    expect(await channelsOf(seller.token)).toMatchObject([
      { telegram_group_id: grown.chatId, details: { state: "connected" } },
    ]);
  });

  test("is followed to its new id wherever the old one was stored", async () => {
    const seller = await app.signInSeller();
    const group = await app.linkGroup(seller, { title: "Migrant" });
    const personId = seller.person.id;
    const old = telegram.createChat({ ownerId: personId, kind: "group", title: "Ancien" });
    telegram.addBot({ personId, chatId: old.chatId, bot: "seller", rights: [] });
    await app.drain();
    // As if it had been linked before it moved.
    await app.sql`UPDATE groups SET chat_id = ${old.chatId} WHERE id = ${group.id}`;
    const moved = telegram.migrate({ personId, chatId: old.chatId });
    await settle();
    const channel = (await channelsOf(seller.token)).find((each) => each.id === group.id);
    expect(channel?.telegram_group_id).toBe(moved.chatId);
  });
});

describe("a linked group", () => {
  test("shows the loss of rights, the removal of the bot and its return", async () => {
    const seller = await sellerInTouch();
    const group = await app.linkGroup(seller, { title: "Instable" });
    await settle();
    const ids = { personId: seller.person.id, chatId: group.chatId, bot: "seller" as const };
    const state = async () => (await channelsOf(seller.token))[0]?.details.state;
    telegram.setBotRights({ ...ids, rights: ["manage_chat", "invite_users"] });
    await settle();
    expect(await state()).toBe("missing_rights");
    telegram.removeBot(ids);
    await settle();
    expect(await state()).toBe("removed");
    expect(app.lastTo(ids.personId, "seller").text).toContain("Je ne suis plus dans Instable");
    telegram.addBot({ ...ids, rights: [...RIGHTS] });
    await settle();
    expect(await state()).toBe("connected");
  });

  test("gets its new title", async () => {
    const seller = await app.signInSeller();
    const group = await app.linkGroup(seller, { title: "Avant" });
    const { chatId } = group;
    telegram.renameChat({ personId: seller.person.id, chatId, title: "Après" });
    await app.drain();
    expect((await channelsOf(seller.token))[0]?.name).toBe("Après");
  });

  test("is not for sale while it is public, with the reason", async () => {
    const seller = await sellerInTouch();
    const personId = seller.person.id;
    const { chatId } = telegram.createChat({
      ownerId: personId,
      kind: "channel",
      title: "Ouvert à tous",
      username: "ouvert_a_tous",
    });
    telegram.addBot({ personId, chatId, bot: "seller", rights: [...RIGHTS] });
    await settle();
    expect((await channelsOf(seller.token))[0]?.details).toMatchObject({
      state: "public",
      sellable: false,
      username: "ouvert_a_tous",
    });
    expect(app.lastTo(personId, "seller").text).toContain("est public");
  });

  test("beyond the third of the free plan is over the quota", async () => {
    const seller = await sellerInTouch();
    for (const title of ["Un", "Deux", "Trois"]) await app.linkGroup(seller, { title });
    await settle();
    await app.linkGroup(seller, { title: "Quatre" });
    await settle();
    const channels = await channelsOf(seller.token);
    expect(channels.map((channel) => channel.details.state)).toEqual([
      "connected",
      "connected",
      "connected",
      "over_quota",
    ]);
    expect(app.lastTo(seller.person.id, "seller").text).toContain("hors quota");
  });

  test("is read again by the refresh: rights and members of which no update came", async () => {
    const seller = await app.signInSeller();
    const group = await app.linkGroup(seller);
    const { chatId } = group;
    const ids = { personId: seller.person.id, chatId };
    telegram.faults.clear();
    panel.setUpdateDelivery({ drop: true });
    const guest = await app.person();
    telegram.addMember({ ...ids, userId: guest.id });
    telegram.setBotRights({ ...ids, bot: "seller", rights: ["manage_chat"] });
    panel.setUpdateDelivery({ drop: false });
    await app.drain();
    expect((await channelsOf(seller.token))[0]?.details.state).toBe("connected");
    const one = await app.send("POST /api/channels/:id/refresh", seller, { id: group.id });
    expect(one.body.channel.details).toMatchObject({ state: "missing_rights", members: 3 });
    const all = await app.send("POST /api/channels/refresh", seller);
    expect(all.body.channels).toHaveLength(1);
  });

  test("answers “Vérifier” from the chat", async () => {
    const seller = await sellerInTouch();
    const group = await app.linkGroup(seller, { title: "À vérifier", rights: ["manage_chat"] });
    await settle();
    const personId = seller.person.id;
    panel.setUpdateDelivery({ drop: true });
    const ids = { personId, chatId: group.chatId, bot: "seller" as const };
    telegram.setBotRights({ ...ids, rights: [...RIGHTS] });
    panel.setUpdateDelivery({ drop: false });
    app.tap({ personId, bot: "seller", text: "Vérifier" });
    await settle();
    expect((await channelsOf(seller.token))[0]?.details.state).toBe("connected");
    expect(app.lastTo(personId, "seller").text).toContain("est relié");
  });
});

test("a seller is notified once of a state, however often Telegram repeats itself", async () => {
  const seller = await sellerInTouch();
  panel.setUpdateDelivery({ copies: 3 });
  await app.linkGroup(seller, { title: "Répété" });
  panel.setUpdateDelivery({ copies: 1 });
  await settle();
  await settle();
  const messages = app.messagesTo(seller.person.id, "seller");
  expect(messages.filter((message) => message.text.includes("est relié"))).toHaveLength(1);
});
