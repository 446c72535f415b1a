import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Locator } from "@playwright/test";
import sharp from "sharp";
import { ROOT } from "../tools/launch/build.ts";
import { onProduct } from "./browser.ts";
import { act, openInviteLinks, saidTo } from "./outside.ts";
import { type Fixture, setFixture } from "./fixture.ts";
import { settled } from "./settled.ts";
import {
  allowWriting,
  miniApp,
  openChat,
  openLink,
  openPhones,
  openSellerApp,
  payByOrangeMoney,
} from "./steps.ts";

const FILE = join(ROOT, "docs", "three-phones.png");
const KB_MAX = 300;

/** The README's picture: a sale just made, seen by its three people. */
export async function takePicture(): Promise<void> {
  await onProduct(async (product, browser) => {
    const fixture = await setFixture(product, {
      names: { seller: "Awa", buyer: "Moussa", agent: "Fatou" },
      group: "Club Trading Abidjan",
      title: "Signaux trading : le club privé",
      price: 5_000,
    });
    const page = await browser.newPage({
      viewport: { width: 1440, height: 1000 },
      reducedMotion: "reduce",
      locale: "fr-FR",
    });
    const { seller, buyer, stranger } = await openPhones(page, fixture.emulators);
    await openSellerApp(seller);
    await openLink(buyer, fixture.link);
    await payByOrangeMoney(buyer);
    await allowWriting(buyer);
    await refuse(fixture, stranger);
    await enter(fixture, buyer);
    const shop = miniApp(seller);
    await expect(shop.getByText(/4.100.FCFA/).first()).toBeVisible();
    await page.mouse.move(0, 0);
    // What passes over the screens has passed.
    await expect(seller.getByRole("button", { name: /Nouvelle vente/ })).toHaveCount(0);
    await expect(shop.getByText(/Nouvelle vente/)).toHaveCount(0);
    await expect
      .poll(() => saidTo(fixture.emulators, fixture.cast.buyer))
      .toMatch(/Vous êtes dans/);
    await expect(buyer.getByRole("button", { name: /Vous êtes dans/ })).toHaveCount(0);
    await settled(page);
    const taken = await page.screenshot({ fullPage: true });
    const small = await sharp(taken)
      .png({ palette: true, quality: 100, dither: 0.4, effort: 10 })
      .toBuffer();
    if (small.length > KB_MAX * 1024) throw new Error(`${small.length} bytes: too heavy`);
    await writeFile(FILE, small);
    console.log(`${FILE}: ${Math.round(small.length / 1024)} kB`);
  });
}

/** A stranger tries the buyer's link, and reads why it does not open. */
async function refuse(fixture: Fixture, stranger: Locator): Promise<void> {
  const [invite] = await openInviteLinks(fixture.emulators, fixture.group);
  await openLink(stranger, invite ?? "");
  await stranger.getByRole("button", { name: "Demander à rejoindre" }).click();
  await expect.poll(() => saidTo(fixture.emulators, fixture.cast.agent)).not.toBe("");
  await stranger.getByRole("dialog").getByRole("button", { name: "Fermer" }).first().click();
  await openChat(stranger, /^Sésame Vendeur/);
}

/** The buyer enters and reads the group. */
async function enter(fixture: Fixture, buyer: Locator): Promise<void> {
  const { emulators, chatId, cast } = fixture;
  const say = (text: string) =>
    act(emulators, "sendMessage", { personId: cast.seller.id, to: { chatId }, text });
  await say("Analyse du matin : le cacao repasse au-dessus de sa moyenne des 20 jours.");
  await miniApp(buyer).getByRole("button", { name: "Rejoindre le groupe" }).click();
  await buyer.getByRole("button", { name: "Demander à rejoindre" }).click();
  await expect(buyer.getByText("Vous êtes membre.")).toBeVisible();
  await say("Bienvenue Moussa ! Les signaux du jour arrivent à 14 h.");
  await buyer.getByRole("button", { name: "Ouvrir la discussion" }).click();
}
