import type { Browser, FrameLocator, Locator, Page } from "@playwright/test";
import type { AnswerOf } from "@sesame/contract/routes";
import type { WithdrawalOnWire } from "@sesame/contract/withdrawals";
import type { StartedProduct } from "../tools/launch/start-product.ts";
import { enrolAgent, holdNumber, newestRequest, requestsOf } from "./agents.ts";
import { expect } from "./fixtures.ts";
import { control, readEmulators } from "./outside.ts";
import {
  buy,
  call,
  launchOf,
  type Scene,
  type SceneChoice,
  setScene,
  until,
  emulatorsOf,
} from "./scene.ts";
import { openByButton, openChat } from "./steps.ts";

type SettingsAnswer = AnswerOf<"GET /api/desk/settings">;

/** What people do at the desk, as often as its journeys need it. */

/** The demonstration's people of the desk: the operator, who is an agent too, and another agent. */
export const FATOU = 7_100_000_003;
export const IBRAHIM = 7_100_000_005;

export type Asked = {
  readonly scene: Scene;
  readonly phone: string;
  readonly request: WithdrawalOnWire;
};

/** A seller with the francs of one sale, and his request for all of them. */
export async function askedFor(product: StartedProduct, choice: SceneChoice = {}): Promise<Asked> {
  const scene = await setScene(product, choice);
  await buy(product, scene);
  const phone = await holdNumber(scene);
  await ask(product, scene, { phone, amount: Math.min(50_000, net(choice.price ?? 5_000)) });
  return { scene, phone, request: await newestRequest(product, scene) };
}

function net(price: number): number {
  return price - Math.floor((price * 18) / 100);
}

async function ask(
  product: StartedProduct,
  scene: Scene,
  { phone, amount }: { phone: string; amount: number },
): Promise<void> {
  await call(product, "POST /api/users/retrait/demande", {
    token: scene.seller.token,
    json: {
      montant: amount,
      methode_paiement: "orange-money-ci",
      numero_transfert: phone,
      numero_whatsapp: phone,
    },
  });
}

export type DeskAt = { readonly person?: number; readonly path?: string; readonly wide?: boolean };

/** The desk as a page of its own: a phone's, or a desktop's. */
export async function openDesk(
  browser: Browser,
  product: StartedProduct,
  { person = FATOU, path = "/bureau", wide = false }: DeskAt = {},
): Promise<Page> {
  const context = await browser.newContext({
    viewport: wide ? { width: 1280, height: 800 } : { width: 360, height: 740 },
    reducedMotion: "reduce",
    locale: "fr-FR",
    timezoneId: "Africa/Abidjan",
  });
  const page = await context.newPage();
  const { url } = await launchOf(product, { personId: person, bot: "seller", path });
  await page.goto(url);
  return page;
}

/** In the agent's phone: the bot is asked for the desk. */
export async function openDeskByBot(agent: Locator): Promise<FrameLocator> {
  await openChat(agent, /^Sésame Vendeur/);
  const begin = agent.getByRole("button", { name: "DÉMARRER" });
  const message = agent.getByRole("textbox", { name: "Message" });
  await begin.or(message).first().waitFor();
  if (await begin.isVisible()) await begin.click();
  await message.fill("/bureau");
  await agent.getByRole("button", { name: "Envoyer" }).click();
  return openByButton(agent, "Ouvrir le bureau");
}

/** From the queue to one request, taken. */
export async function take(desk: Page, { request }: Asked): Promise<void> {
  await desk.getByRole("searchbox").fill(request.reference_transaction);
  await desk.getByRole("link", { name: new RegExp(request.reference_transaction) }).click();
  await expect(
    desk.getByRole("heading", { name: `Retrait ${request.reference_transaction}` }),
  ).toBeVisible();
  await desk.getByRole("button", { name: "Prendre", exact: true }).click();
  await expect(desk.getByText("Vous avez pris cette demande.")).toBeVisible();
}

export function sheet(desk: Page | FrameLocator): Locator {
  return desk.getByRole("dialog");
}

export async function statusOf(product: StartedProduct, { scene, request }: Asked) {
  const found = (await requestsOf(product, scene)).find(({ id }) => id === request.id);
  return [found?.status, found?.reference_transaction, found?.motif];
}

/** The agent pays from a purse that has something in it. */
export async function fillWallet({ emulators }: Scene): Promise<void> {
  const { wallets } = await readEmulators(emulators);
  const own = wallets.find(({ personId }) => personId === FATOU);
  if (!own) throw new Error("the agent has no number");
  await control(emulators, "creditWallet", { phone: own.phone, amount: 100_000 });
}

export async function restoreFees(product: StartedProduct): Promise<void> {
  const token = await enrolAgent(product);
  const { version, defaults } = await call<SettingsAnswer>(product, "GET /api/desk/settings", {
    token,
  });
  await call(product, "PUT /api/desk/settings", {
    token,
    json: { changes: { fee_rates: defaults.fee_rates }, version },
  });
}

/** A provider has ended a payout by then. */
const PAYOUT_MS = 5_000;

/** Once the provider has it, its seconds pass at once. */
export async function letPayoutEnd({ scene: { emulators }, phone }: Asked): Promise<void> {
  const taken = async () =>
    (await readEmulators(emulators)).payouts.some(
      (payout) => payout.phone === `+225${phone}` && payout.status !== "created",
    ) || undefined;
  await until(taken, "no provider has the payout");
  await control(emulators, "advanceClock", { ms: PAYOUT_MS });
}

/** The provider takes it, its answer and its notice are lost: nobody knows. */
export async function leaveUncertain(
  product: StartedProduct,
  { id, token }: { id: string; token: string },
): Promise<void> {
  const emulators = emulatorsOf(product);
  const path = `/api/desk/withdrawals/${id}`;
  await control(emulators, "setPaymentNotices", { provider: "moneroo", drop: true });
  await control(emulators, "setPayoutFault", { provider: "moneroo", kind: "500-after" });
  try {
    await call(product, `POST ${path}/approve`, { token, json: { lane: "moneroo" } });
    const uncertain = async () => {
      const answer = await call<AnswerOf<"GET /api/desk/withdrawals/:id">>(product, `GET ${path}`, {
        token,
      });
      return answer.withdrawal.stage === "uncertain" || undefined;
    };
    await until(uncertain, "the payout is not uncertain");
    await control(emulators, "advanceClock", { ms: PAYOUT_MS });
    // Its end would be told otherwise once notices are heard again.
    const ended = async () => {
      const { payouts } = await readEmulators(emulators);
      const theirs = payouts.filter(({ provider }) => provider === "moneroo");
      return theirs.every(({ status }) => status === "success") || undefined;
    };
    await until(ended, "the payout has not ended there");
  } finally {
    await control(emulators, "clearFaults", {});
  }
}

/** One franc short: the difference is explained, written, and stays. */
export async function countPurse(desk: Page): Promise<void> {
  await desk.getByRole("link", { name: "Journée" }).click();
  const purse = desk.getByRole("article").filter({ hasText: "Orange Money CI" });
  await purse.getByRole("button", { name: "Compter et clôturer" }).click();
  const text =
    (await sheet(desk)
      .getByText(/Le grand livre attend/)
      .textContent()) ?? "";
  const expected = Number(
    /attend (.*)FCFA/
      .exec(text)?.[1]
      ?.replace(/[^\d−-]/g, "")
      .replace("−", "-"),
  );
  await sheet(desk)
    .getByLabel("Solde lu sur le téléphone")
    .fill(String(Math.max(0, expected) + 1));
  await sheet(desk).getByRole("button", { name: "Clôturer la caisse" }).click();
  await expect(sheet(desk).getByRole("alert")).not.toBeEmpty();
  await sheet(desk).getByLabel("Explication de l'écart").fill("Un dépôt pas encore noté");
  await sheet(desk).getByRole("button", { name: "Clôturer la caisse" }).click();
  await expect(purse.getByText("Comptée", { exact: true })).toBeVisible();
  await expect(purse.getByText(/Un dépôt pas encore noté/)).toBeVisible();
  const download = desk.waitForEvent("download");
  await desk.getByRole("button", { name: "Exporter (CSV)" }).click();
  expect((await download).suggestedFilename()).toMatch(/^cloture-\d{4}-\d\d-\d\d\.csv$/);
}
