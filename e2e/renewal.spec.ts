import { expect, test } from "./fixtures.ts";
import { openInviteLinks, readEmulators } from "./outside.ts";
import { buyAndJoin, type Fixture, setFixture } from "./fixture.ts";
import { miniApp, openLink, openPhones, payByOrangeMoney } from "./steps.ts";

const DAY_MS = 86_400_000;

test("a renewal extends the access inside, without another link", async ({ page, product }) => {
  const fixture = await setFixture(product);
  await buyAndJoin(product, fixture);
  const end = day(await daysFromNow(fixture, 60));
  const later = day(await daysFromNow(fixture, 90));
  const linksBefore = await linksEver(fixture);
  const { buyer } = await openPhones(page, fixture.emulators);
  await openLink(buyer, fixture.link);
  await payByOrangeMoney(buyer);
  const app = miniApp(buyer);
  await expect(app.getByRole("heading", { name: "Accès prolongé" })).toBeVisible();
  await expect(app.getByText(end).first()).toBeVisible();
  await expect(app.getByRole("button", { name: "Rejoindre le groupe" })).toHaveCount(0);
  expect(await linksEver(fixture)).toBe(linksBefore);
  await expect.poll(() => openInviteLinks(fixture.emulators, fixture.group)).toEqual([]);

  await test.step("and « Mes accès » shows the new end, and how to go on", async () => {
    await app.getByRole("button", { name: "Mes accès" }).click();
    const row = app.getByRole("listitem").filter({ hasText: fixture.group });
    await expect(row.getByText("Actif")).toBeVisible();
    await expect(row.getByText(end)).toBeVisible();
    await row.getByRole("button", { name: "Prolonger" }).click();
    await expect(app.getByText(new RegExp(`${end} \\d{4}\\. Cet achat le prolonge`))).toContainText(
      later,
    );
    await expect(app.getByRole("button", { name: "Prolonger mon accès" })).toBeVisible();
  });
});

async function linksEver(fixture: Fixture): Promise<number> {
  const { chats } = await readEmulators(fixture.emulators);
  return chats.find(({ id }) => id === fixture.chatId)?.inviteLinks.length ?? 0;
}

/** Days on the emulators' clock, which other journeys may have advanced. */
async function daysFromNow(fixture: Fixture, days: number): Promise<Date> {
  const { now } = await readEmulators(fixture.emulators);
  return new Date(Date.parse(now) + days * DAY_MS);
}

function day(instant: Date): string {
  return new Intl.DateTimeFormat("fr-FR", {
    day: "numeric",
    month: "long",
    timeZone: "Africa/Abidjan",
  })
    .format(instant)
    .replace(/^1 /, "1er ");
}
