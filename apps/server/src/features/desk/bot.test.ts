import { MINUTE_MS } from "@sesame/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDeskScene, type DeskScene } from "../../../test/desk-scene.ts";
import { type SignedInBuyer, startTestApp, type TestApp } from "../../../test/harness.ts";
import type { TestPerson } from "../../../test/init-data.ts";
import { lastTo, messagesTo, tap } from "../../../test/said.ts";

/** People who live in the world from its beginning: the staff are the first of them. */
const FIRST_PERSON = 7_100_000_001;

let app: TestApp;
let desk: DeskScene;
let awa: TestPerson;
let moussa: TestPerson;
let chief: TestPerson;
let api: SignedInBuyer;

beforeAll(async () => {
  app = await startTestApp({
    env: {
      AGENT_TELEGRAM_IDS: `${FIRST_PERSON},${FIRST_PERSON + 1}`,
      OPERATOR_TELEGRAM_IDS: `${FIRST_PERSON + 2}`,
    },
  });
  desk = createDeskScene(app);
  [awa, moussa, chief] = ["Awa", "Moussa", "Fatou"].map((first_name, index) => ({
    id: FIRST_PERSON + index,
    first_name,
    language_code: "fr",
  })) as [TestPerson, TestPerson, TestPerson];
  for (const person of [awa, moussa]) await say(person, "/start");
  api = await app.signInBuyer(chief);
});
afterAll(() => app?.close());

async function say(person: TestPerson, text: string, replyTo?: number): Promise<void> {
  app.world.telegram.sendMessage({
    personId: person.id,
    to: { bot: "seller" },
    text,
    ...(replyTo === undefined ? {} : { replyTo }),
  });
  await app.drain();
}

async function press(person: TestPerson, text: string): Promise<void> {
  tap(app.world, { personId: person.id, bot: "seller", text });
  await app.drain();
}

const last = (person: TestPerson) => lastTo(app.world, person.id, "seller");
const buttons = (person: TestPerson) =>
  last(person)
    .buttons.flat()
    .map(({ text }) => text);
async function ask(choice: Parameters<DeskScene["request"]>[0] = {}) {
  const made = await desk.request(choice);
  return { id: made.id, seller: made.seller, reference: made.reference_transaction };
}

/** A request the agents are told of at once: the last was long ago. */
async function request(choice: Parameters<DeskScene["request"]>[0] = {}) {
  app.clock.advance(MINUTE_MS);
  const made = await ask(choice);
  await app.drain();
  return made;
}

describe("the agents", () => {
  test("are told of a new request, with what they need to take it", async () => {
    const { reference } = await request({ amount: 12_000 });
    for (const agent of [awa, moussa]) {
      expect(last(agent).text).toContain(`Retrait ${reference}`);
      expect(last(agent).text).toContain("Premium");
      expect(last(agent).text).toContain("Premier retrait");
      expect(buttons(agent)).toEqual(["Prendre", "Ouvrir le bureau"]);
    }
    // He never opened the bot.
    expect(messagesTo(app.world, chief.id, "seller")).toEqual([]);
  });
});

describe("an agent's buttons", () => {
  test("take a request, approve it by hand, and ask for the operator's reference", async () => {
    const { id, reference } = await request({ amount: 8_000 });
    await press(awa, "Prendre");
    expect(last(awa).text).toContain("À vous jusqu'au");
    expect(buttons(awa)).toEqual([
      "Approuver · À la main",
      "Approuver · PayDunya",
      "Approuver · Moneroo",
      "Approuver · FedaPay",
      "Rejeter",
      "Relâcher",
      "Ouvrir le bureau",
    ]);
    // The other's message says who has it, and offers nothing.
    expect(last(moussa).text).toContain("Pris par Awa");
    expect(buttons(moussa)).toEqual(["Ouvrir le bureau"]);
    await press(awa, "Approuver · À la main");
    const asked = last(awa);
    expect(asked.text).toContain(`${reference} : envoyez`);
    await say(awa, "pas encore", asked.messageId);
    expect(last(awa).text).toContain("Cette référence n'est pas valable");
    await say(awa, "CI24.11.77", asked.messageId);
    expect(last(awa).text).toBe("Payé : le vendeur est prévenu.");
    expect(await desk.detail(api, id)).toMatchObject({
      stage: "paid",
      payout: { operator_reference: "CI24.11.77" },
    });
    expect(last(moussa).text).toContain("Payé (À la main)");
  });

  test("reject with a reason, or with the agent's own words", async () => {
    const first = await request({ amount: 900 });
    await press(moussa, "Prendre");
    await press(moussa, "Rejeter");
    expect(buttons(moussa)).toEqual([
      "Numéro erroné",
      "Nom différent",
      "Refusé par l'opérateur",
      "Vérification nécessaire",
      "À la demande du vendeur",
      "Autre raison",
      "Retour",
    ]);
    await press(moussa, "Retour");
    expect(buttons(moussa)).toContain("Rejeter");
    await press(moussa, "Rejeter");
    await press(moussa, "Nom différent");
    expect((await desk.detail(api, first.id)).reject_reason).toBe(
      "Le compte de ce numéro n'est pas au nom du vendeur.",
    );
    const second = await request({ amount: 901 });
    await press(moussa, "Prendre");
    await press(moussa, "Rejeter");
    await press(moussa, "Autre raison");
    await say(moussa, "Numéro d'un <b>tiers</b> & fermé");
    expect(last(moussa).text).toBe("Rejeté : le vendeur est prévenu.");
    expect((await desk.detail(api, second.id)).reject_reason).toBe(
      "Numéro d'un <b>tiers</b> & fermé",
    );
  });

  test("send by a provider, and the message follows to the end", async () => {
    const { id } = await request({ amount: 7_700 });
    await press(awa, "Prendre");
    await press(awa, "Approuver · PayDunya");
    expect(last(awa).text).toMatch(/Envoi en cours|Payé/);
    app.clock.advance(60_000);
    await app.drain();
    expect((await desk.detail(api, id)).stage).toBe("paid");
    expect(last(awa).text).toContain("Payé (PayDunya)");
    expect(buttons(awa)).toEqual(["Ouvrir le bureau"]);
  });

  test("give the second agent of a large request the confirmation", async () => {
    const { id } = await request({ amount: 120_000 });
    await press(awa, "Prendre");
    await press(awa, "Approuver · PayDunya");
    expect(last(awa).text).toContain("un second agent confirme");
    expect(buttons(awa)).not.toContain("Approuver · PayDunya");
    expect(buttons(moussa)).toContain("Confirmer · PayDunya");
    await press(moussa, "Confirmer · PayDunya");
    expect(await desk.payouts(id)).toMatchObject([{ lane: "paydunya" }]);
  });

  test("are offered again when the time of the one who took it is over", async () => {
    const { id } = await request({ amount: 950 });
    await press(awa, "Prendre");
    app.clock.advance(15 * MINUTE_MS);
    await app.drain();
    expect(buttons(moussa)).toEqual(["Prendre", "Ouvrir le bureau"]);
    await press(moussa, "Prendre");
    expect((await desk.detail(api, id)).claim?.by.name).toContain("Moussa");
    await press(moussa, "Relâcher");
    expect(buttons(awa)).toEqual(["Prendre", "Ouvrir le bureau"]);
  });

  test("follow what happens at the desk, and the seller who cancels", async () => {
    const { id, seller } = await request({ amount: 960 });
    await desk.act(api, { id, action: "claim" });
    await app.drain();
    expect(last(awa).text).toContain("Pris par Fatou");
    await desk.act(api, { id, action: "release" });
    await app.call("DELETE", `/api/users/retrait/annuler/${id}`, { token: seller.token });
    await app.drain();
    expect(last(awa).text).toContain("Annulé");
    expect(buttons(awa)).toEqual(["Ouvrir le bureau"]);
  });
});

describe("many requests at once", () => {
  test("come as one list, from which each may be taken", async () => {
    app.clock.advance(MINUTE_MS);
    const first = await ask({ amount: 1_001, plan: "free" });
    await app.drain();
    expect(last(awa).text).toContain(first.reference);
    const others = [
      await ask({ amount: 1_002, plan: "free" }),
      await ask({ amount: 1_003, plan: "premium" }),
    ];
    await app.drain();
    expect(last(awa).text).toContain(first.reference);
    app.clock.advance(15_000);
    await app.drain();
    expect(last(awa).text).toContain("2 demandes de retrait, dont 1 ⭐");
    // Premium first.
    const taking = buttons(awa);
    expect(taking).toHaveLength(3);
    expect(taking[0]).toContain(others[1]?.reference);
    await press(awa, taking[0] ?? "");
    expect(last(awa).text).toContain(`Retrait ${others[1]?.reference}`);
    expect(buttons(awa)).toContain("Relâcher");
    expect(last(moussa).text).toContain("pris par Awa");
    expect(buttons(moussa)).toHaveLength(2);
  });
});

describe("a crowd of requests", () => {
  test("is one message to each agent, which says how many there are", async () => {
    app.clock.advance(MINUTE_MS);
    await ask({ amount: 1_100 });
    await app.drain();
    const before = messagesTo(app.world, awa.id, "seller").length;
    for (let each = 0; each < 23; each += 1) await ask({ amount: 1_101 + each });
    app.clock.advance(15_000);
    await app.drain();
    expect(messagesTo(app.world, awa.id, "seller")).toHaveLength(before + 1);
    expect(last(awa).text).toContain("23 demandes de retrait, les ⭐ d'abord");
    expect(last(awa).text).toContain("… et 13 autres, au bureau");
  });
});

describe("/bureau", () => {
  test("is a button of the greeting too, to the staff alone", async () => {
    await say(chief, "/start");
    expect(buttons(chief)).toContain("Ouvrir le bureau");
    const seller = await app.signInSeller();
    await say(seller.person, "/start");
    expect(buttons(seller.person)).not.toContain("Ouvrir le bureau");
  });

  test("says what waits and opens the desk, to the staff alone", async () => {
    const { reference } = await request({ amount: 970 });
    await say(chief, "/bureau");
    expect(last(chief).text).toContain("Bureau des retraits");
    const shown = buttons(chief).find((text) => text.includes(reference));
    if (shown) await press(chief, shown);
    expect(last(chief).text).toContain(shown ? `Retrait ${reference}` : "Bureau");
    const seller = await app.signInSeller();
    await say(seller.person, "/bureau");
    expect(last(seller.person).text).toContain("Je ne comprends que les commandes du menu");
  });

  test("leaves every other word of the staff to the conversation", async () => {
    await say(chief, "/aide");
    expect(last(chief).text).toContain("Comment ça marche");
    await say(chief, "bonjour 12345");
    expect(last(chief).text).toContain("Je ne comprends que les commandes du menu");
  });
});
