import { expect, test } from "./fixtures.ts";
import { act, saidTo } from "./outside.ts";
import { call, FATOU, setFixture } from "./fixture.ts";
import { openPhones, openSellerApp, openTab } from "./steps.ts";

test("a seller asks, and reads an agent's answer", async ({ openBackOffice, page, product }) => {
  const fixture = await setFixture(product);
  const { cast, emulators, seller } = fixture;
  await act(emulators, "switchPerson", { phone: "agent", personId: FATOU.id });
  const { seller: phone } = await openPhones(page, emulators);
  const app = await openSellerApp(phone);
  const words = "Bonjour, mon acheteur n'entre pas dans le groupe.";

  await test.step("from home's tile, in two taps", async () => {
    await openTab(app, "Accueil");
    await app.getByRole("link", { name: "Support", exact: true }).click();
    await expect(app.getByRole("heading", { name: "Support", exact: true })).toBeVisible();
    await expect(app.getByText(/^Réponse sous 24 h/)).toBeVisible();
    await app.getByRole("button", { name: "Écrire au support" }).click();
    await app.getByLabel(/^Sujet/).selectOption({ label: "Un groupe ou un canal" });
    await app.getByLabel(/^Votre message/).fill(words);
    await app.getByRole("button", { name: "Envoyer" }).dblclick();
    await expect(app.getByText(/^Nous avons bien reçu votre message/)).toBeVisible();
    const { token } = seller;
    const mine = await call(product, "GET /api/support/tickets", { token });
    expect(mine.tickets.map(({ preview }) => preview)).toEqual([words]);
  });

  await test.step("the back office has it, and answers", async () => {
    const staff = await openBackOffice({ path: "/bureau/assistance" });
    await staff.getByRole("link", { name: new RegExp(cast.seller.firstName) }).click();
    await expect(staff.getByText(words)).toBeVisible();
    await staff.getByLabel("Votre réponse").fill("Le lien est renvoyé : il peut entrer.");
    await staff.getByRole("button", { name: "Répondre" }).click();
    await expect(staff.getByText("Répondu", { exact: true })).toBeVisible();
  });

  await test.step("it is on the phone by itself, and in the bot's chat", async () => {
    await expect(app.getByText("Le lien est renvoyé : il peut entrer.")).toBeVisible();
    await expect.poll(() => saidTo(emulators, cast.seller)).toContain("Le support vous a répondu");
    await app.getByRole("button", { name: "C'est résolu" }).click();
    await app.getByRole("button", { name: "Oui, c'est résolu" }).click();
    await expect(app.getByText(/^Cette demande est close/)).toBeVisible();
  });
});
