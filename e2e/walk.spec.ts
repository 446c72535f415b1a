import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, ConsoleMessage, Page } from "@playwright/test";
import type { AnswerOf } from "@sesame/contract/routes";
import type { CreateOrderAnswer } from "@sesame/contract/checkout";
import { ROOT } from "../tools/launch/build.ts";
import type { StartedProduct } from "../tools/launch/start-product.ts";
import { expect, test } from "./fixtures.ts";
import {
  type Actor,
  buy,
  call,
  castPhones,
  launchOf,
  paymentOf,
  setScene,
  emulatorsOf,
} from "./scene.ts";
import { type Walk, WALKED } from "./walk-routes.ts";

/** Two at a time: half of a walk is waiting. */
const WALKERS = 2;

test("every route of the specification leads somewhere", async ({ browser, product }) => {
  test.setTimeout(540_000);
  const place = await prepare(product);
  const found = await Promise.all(
    Array.from({ length: WALKERS }, (_, nth) =>
      walk(
        browser,
        place,
        WALKED.filter((_each, at) => at % WALKERS === nth),
      ),
    ),
  );
  expect(found.flat()).toEqual([]);
});

test("no script of the pages logs", async ({ product }) => {
  const folder = join(ROOT, "apps", "web", "dist", "client", "assets");
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
  const page = await (await fetch(product.appUrl)).text();
  expect(scripts.some((name) => page.includes(name))).toBe(true);
  const said = scripts.flatMap((name) =>
    (readFileSync(join(folder, name), "utf8").match(/console\.(?!error)\w+/g) ?? []).map(
      (call) => `${name}: ${call}`,
    ),
  );
  expect(said).toEqual([]);
});

type Place = {
  readonly product: StartedProduct;
  readonly people: Readonly<Record<"seller" | "newcomer" | "buyer", Actor>>;
  /** What `$name` in an address or a text stands for. */
  readonly things: Readonly<Record<string, string>>;
};

/** A seller who has sold, asked for his money and begun to buy premium. */
async function prepare(product: StartedProduct): Promise<Place> {
  const scene = await setScene(product, { names: { seller: "Aminata" } });
  const newcomer = (await castPhones(emulatorsOf(product))).seller;
  const order = await buy(product, scene);
  const { token, userId, person } = scene.seller;
  const phone = "+2250701020304";
  const { demande } = await call<AnswerOf<"GET /api/users/retrait/:id">>(
    product,
    "POST /api/users/retrait/demande",
    {
      token,
      json: {
        montant: 1_000,
        methode_paiement: "orange-money-ci",
        numero_transfert: phone,
        numero_whatsapp: phone,
      },
    },
  );
  const plan = await call<CreateOrderAnswer>(product, "POST /api/orders", {
    token,
    json: { plan: "payant", provider: "moneroo" },
  });
  return {
    product,
    people: { seller: person, newcomer, buyer: scene.cast.buyer },
    things: {
      name: person.firstName,
      seller: userId,
      title: scene.product.title,
      product: scene.product.id,
      reference: scene.product.reference,
      group: scene.group,
      chat: String(scene.chatId),
      order: order.id,
      payment: (await paymentOf(scene)).id,
      withdrawal: demande.id,
      plan: plan.id,
    },
  };
}

async function walk(browser: Browser, place: Place, walks: readonly Walk[]): Promise<string[]> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (isComplaint(message)) complaints.push(message.text());
  });
  const found: string[] = [];
  for (const each of walks) {
    const wrong = await open(page, place, each).catch((error: Error) => error.message);
    for (const what of [wrong ?? "", ...complaints.splice(0)].filter(Boolean)) {
      found.push(
        `${each.as} ${each.path ?? each.route}: ${what.split("\n").slice(0, 4).join(" ")}`,
      );
    }
  }
  await context.close();
  return found;
}

/** What our pages complain of, and whatever else our scripts say: they log nothing (B §9). */
function isComplaint(message: ConsoleMessage): boolean {
  return message.type() === "error" || message.location().url.includes("/assets/");
}

const PATIENCE_MS = 24_000;

async function open(page: Page, place: Place, { route, as, path, ...shown }: Walk): Promise<void> {
  const named = (text: string, read = (thing: string) => thing): string =>
    text.replaceAll(/\$(\w+)/g, (_all, name: string) => read(place.things[name] ?? ""));
  const address = named(path ?? route, encodeURIComponent);
  // From nowhere: an address that differs by its fragment alone would not be loaded again.
  await page.goto("about:blank");
  if (as === "browser") {
    await page.goto(place.product.appUrl + address);
  } else {
    const bot = as === "buyer" ? "buyer" : "seller";
    const takes = { personId: place.people[as].id, bot, path: address } as const;
    await page.goto((await launchOf(place.product, takes)).url);
  }
  const heading = page.getByRole("heading", { name: named(shown.heading), exact: true }).first();
  await expect(heading).toBeVisible({ timeout: PATIENCE_MS });
  const said = page.getByText(named(shown.says)).filter({ visible: true }).first();
  await expect(said).toBeVisible({ timeout: PATIENCE_MS });
  const ways = page.locator("main, [role=dialog]").locator("button:enabled, input, a[href]");
  await expect(ways.filter({ visible: true }).first()).toBeVisible({ timeout: PATIENCE_MS });
}
