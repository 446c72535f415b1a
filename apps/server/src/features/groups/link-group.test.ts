import { describe, expect, test } from "vitest";
import { buttonOf, createGroupFixtures } from "../../../test/groups.ts";
import { RIGHTS, startTestApp } from "../../../test/harness.ts";
import { createListener } from "../../postgres/listener.ts";
import { REALTIME_CHANNEL, type RealtimeEvent } from "../../realtime/events.store.ts";

const app = await startTestApp();
const { telegram, panel } = app.emulators;
const { settle, channelsOf } = createGroupFixtures(app);

/** A group of a seller to whom the bot may write, who has been notified of the link. */
async function linked(options: Parameters<typeof app.linkGroup>[1] = {}) {
  const seller = await app.seller();
  const personId = seller.person.id;
  const { id, chatId } = await app.linkGroup(seller, options);
  await settle();
  return {
    seller,
    id,
    /** The owner, the chat and the bot, in the form of the emulators' functions. */
    bot: { personId, chatId, bot: "seller" as const },
    channel: async () => (await channelsOf(seller))[0],
    state: async () => (await channelsOf(seller))[0]?.details.state,
    said: () => app.lastTo(personId, "seller"),
  };
}

/** What happens meanwhile is in no update. */
function unnoticed(act: () => void): void {
  panel.setUpdateDelivery({ drop: true });
  act();
  panel.setUpdateDelivery({ drop: false });
}

describe("a group is linked", () => {
  test("to the seller who added the bot, with its rights", async () => {
    const { seller, id, bot, said } = await linked({ title: "Trading <VIP>" });
    expect(await channelsOf(seller)).toMatchObject([
      {
        id,
        name: "Trading <VIP>",
        type: "groupe",
        telegram_group_id: bot.chatId,
        details: {
          state: "connected",
          sellable: true,
          missing_rights: [],
          in_quota: true,
          members: 2,
          last_event: "Bot relié",
        },
      },
    ]);
    expect(said().text).toContain("Trading <VIP> est relié");
    expect(buttonOf(said(), "Créer un produit").kind).toBe("web_app");
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
    expect(await channelsOf(seller)).toMatchObject([{ name: "Signaux", type: "canal" }]);
  });

  test("with each missing right named, on the screen and in the chat with the bot", async () => {
    const { bot, channel, state, said } = await linked({ rights: ["manage_chat"] });
    const missing = ["Bannir des utilisateurs", "Inviter des utilisateurs avec des liens"];
    expect((await channel())?.details).toMatchObject({
      state: "missing_rights",
      sellable: false,
      missing_rights: missing.map((label) => ({ label })),
    });
    for (const label of missing) expect(said().text).toContain(`• ${label}`);
    expect(buttonOf(said(), "Donner les droits").url).toContain("&admin=");
    telegram.setBotRights({ ...bot, rights: [...RIGHTS] });
    await settle();
    expect(await state()).toBe("connected");
    expect(said().text).toContain("est relié");
  });

  test("as a plain member without any right, when its owner adds it by hand", async () => {
    const seller = await app.signInSeller();
    const group = await app.linkGroup(seller, { rights: [] });
    const [channel] = await channelsOf(seller);
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
    const { chatId } = telegram.createChat({ ownerId: personId, kind, title });
    const rights = kind === "channel" ? ["invite_users" as const] : [];
    telegram.addBot({ personId, chatId, bot: "buyer", rights });
    await settle();
    return { seller, personId, chatId };
  };
  const WRONG =
    /^Je suis le bot des acheteurs\s: je ne peux pas relier Mon <club>\. .*@SesameVendeurBot /;

  test("names the right one to who added it, in private where it may, and once", async () => {
    const { personId, chatId, seller } = await addBuyersBot("Mon <club>", "supergroup", true);
    const said = app.lastTo(personId, "buyer");
    expect(said.text).toMatch(WRONG);
    const { url } = buttonOf(said, "Ajouter le bot vendeur");
    expect(url).toMatch(/\?startgroup&admin=manage_chat\+/);
    const before = app.messagesTo(personId, "buyer").length;
    telegram.setBotRights({ personId, chatId, bot: "buyer", rights: [...RIGHTS] });
    await settle();
    expect(app.messagesTo(personId, "buyer")).toHaveLength(before);
    expect(app.messagesIn(chatId)).toEqual([]);
    expect(await channelsOf(seller)).toEqual([]);
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
    const seller = await app.seller();
    const personId = seller.person.id;
    app.write(personId, "buyer", "/start");
    const { chatId } = await app.linkGroup(seller);
    const before = app.messagesTo(personId, "buyer").length;
    telegram.addBot({ personId, chatId, bot: "buyer", rights: [] });
    await settle();
    expect(app.messagesTo(personId, "buyer")).toHaveLength(before);
    expect(app.messagesIn(chatId)).toEqual([]);
  });
});

describe("a basic group", () => {
  test("is refused in the chat with the reason, and linked once it is a supergroup", async () => {
    const seller = await app.signInSeller();
    const personId = seller.person.id;
    const { chatId } = telegram.createChat({ ownerId: personId, kind: "group", title: "Petit" });
    telegram.addBot({ personId, chatId, bot: "seller", rights: [] });
    await settle();
    expect(await channelsOf(seller)).toEqual([]);
    expect(app.messagesIn(chatId)[0]?.text).toContain("groupe simple");
    const grown = telegram.setBotRights({ personId, chatId, bot: "seller", rights: [...RIGHTS] });
    await settle();
    expect(await channelsOf(seller)).toMatchObject([
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
    const channel = (await channelsOf(seller)).find((each) => each.id === group.id);
    expect(channel?.telegram_group_id).toBe(moved.chatId);
  });
});

describe("a linked group", () => {
  test("shows the loss of rights, the removal of the bot and its return", async () => {
    const { bot, state, said } = await linked({ title: "Instable" });
    telegram.setBotRights({ ...bot, rights: ["manage_chat", "invite_users"] });
    await settle();
    expect(await state()).toBe("missing_rights");
    telegram.removeBot(bot);
    await settle();
    expect(await state()).toBe("removed");
    expect(said().text).toContain("Je ne suis plus dans Instable");
    telegram.addBot({ ...bot, rights: [...RIGHTS] });
    await settle();
    expect(await state()).toBe("connected");
  });

  test("gets its new title", async () => {
    const { bot, channel } = await linked({ title: "Avant" });
    telegram.renameChat({ ...bot, title: "Après" });
    await app.drain();
    expect((await channel())?.name).toBe("Après");
  });

  test("is not for sale while it is public, with the reason", async () => {
    const seller = await app.seller();
    const personId = seller.person.id;
    const { chatId } = telegram.createChat({
      ownerId: personId,
      kind: "channel",
      title: "Ouvert à tous",
      username: "ouvert_a_tous",
    });
    telegram.addBot({ personId, chatId, bot: "seller", rights: [...RIGHTS] });
    await settle();
    expect((await channelsOf(seller))[0]?.details).toMatchObject({
      state: "public",
      sellable: false,
      username: "ouvert_a_tous",
    });
    expect(app.lastTo(personId, "seller").text).toContain("est public");
  });

  test("beyond the third of the free plan is over the quota", async () => {
    const seller = await app.seller();
    for (const title of ["Un", "Deux", "Trois"]) await app.linkGroup(seller, { title });
    await settle();
    await app.linkGroup(seller, { title: "Quatre" });
    await settle();
    const states = (await channelsOf(seller)).map(({ details }) => details.state);
    expect(states).toEqual(["connected", "connected", "connected", "over_quota"]);
    expect(app.lastTo(seller.person.id, "seller").text).toContain("hors quota");
  });

  test("is read again by the refresh: rights and members of which no update came", async () => {
    const { seller, id, bot, state } = await linked();
    const guest = await app.person();
    unnoticed(() => {
      telegram.addMember({ ...bot, userId: guest.id });
      telegram.setBotRights({ ...bot, rights: ["manage_chat"] });
    });
    await app.drain();
    expect(await state()).toBe("connected");
    const one = await app.send("POST /api/channels/:id/refresh", seller, { id });
    expect(one.body.channel.details).toMatchObject({ state: "missing_rights", members: 3 });
    const all = await app.send("POST /api/channels/refresh", seller);
    expect(all.body.channels).toHaveLength(1);
  });

  test("answers “Vérifier” from the chat", async () => {
    const { bot, state, said } = await linked({ rights: ["manage_chat"] });
    unnoticed(() => void telegram.setBotRights({ ...bot, rights: [...RIGHTS] }));
    app.tap({ ...bot, text: "Vérifier" });
    await settle();
    expect(await state()).toBe("connected");
    expect(said().text).toContain("est relié");
  });
});

test("a seller is notified once of a state, however often Telegram repeats itself", async () => {
  const seller = await app.seller();
  panel.setUpdateDelivery({ copies: 3 });
  await app.linkGroup(seller, { title: "Répété" });
  panel.setUpdateDelivery({ copies: 1 });
  await settle();
  await settle();
  const texts = app.textsTo(seller.person.id, "seller");
  expect(texts.filter((text) => text.includes("est relié"))).toHaveLength(1);
});
