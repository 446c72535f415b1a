import type { Page } from "@playwright/test";
import type { StartedProduct } from "../tools/launch/start-product.ts";
import { type Actor, FATOU, launchOf } from "./fixture.ts";
import { quiet, requestsOf, settled } from "./settled.ts";

export type Scheme = "light" | "dark";

/** A screen people see, and how to come to it. */
export type Screen = {
  readonly name: string;
  open(page: Page, scheme: Scheme): Promise<void>;
  /** Who stands in which app, and the way from one of its screens to this one. */
  readonly inside?: { readonly door: string; go(page: Page): Promise<void> };
  /** Where the night may fall on what is open, as it does in Telegram; else it is opened again. */
  darken?(page: Page): Promise<void>;
};

/** What is waited for on a screen once it is open: a text, or whatever is done there. */
type Shown = string | RegExp | ((page: Page) => Promise<unknown>);

/** Name of the screen, its address, and what is shown. */
export type Row = readonly [name: string, path: string, shown?: Shown | undefined];

export const PHONE = { width: 360, height: 740 };
export const DESKTOP = { width: 1280, height: 800 };
export const AS_PEOPLE_HAVE_IT = {
  reducedMotion: "reduce",
  locale: "fr-FR",
  timezoneId: "Africa/Abidjan",
} as const;

type Role = Parameters<Page["getByRole"]>[0];

/** What is waited for by its role, and by its name where it has one. */
export const there =
  (role: Role, name: string | RegExp = /^/) =>
  (page: Page) =>
    page.getByRole(role, { name }).first().waitFor();

/** A sheet or a question, opened by its button; or what its tap shows. */
export const tapped =
  (name: string | RegExp, then: Shown = there("dialog")) =>
  async (page: Page) => {
    await page.getByRole("button", { name, exact: true }).first().click();
    await show(page, then);
  };

/** The same for a tab or a row, which is found by its text. */
export const chosen = (words: string | RegExp, then: Shown) => async (page: Page) => {
  await page.getByText(words, { exact: true }).first().click();
  await show(page, then);
};

export const headed = (name: string | RegExp) => (page: Page) =>
  page.getByRole("heading", { name }).waitFor();

async function show(page: Page, shown: Shown | undefined): Promise<void> {
  if (typeof shown === "function") await shown(page);
  else if (shown !== undefined) await page.getByText(shown).first().waitFor();
}

type Room = { readonly bot: "seller" | "buyer"; readonly person: Actor; readonly row: Row };

/** Ways into the app: as its own page on a phone's origin, with Telegram's launch parameters. */
export class Rooms {
  readonly product: StartedProduct;

  constructor(product: StartedProduct) {
    this.product = product;
  }

  seller(person: Actor, ...rows: readonly Row[]): Screen[] {
    return rows.map((row) => this.room({ bot: "seller", person, row }));
  }

  buyer(person: Actor, ...rows: readonly Row[]): Screen[] {
    return rows.map((row) => this.room({ bot: "buyer", person, row }));
  }

  /** The back office at one size, which the screens after it set anew. */
  staff(rows: readonly Row[], { person = FATOU, size = PHONE } = {}): Screen[] {
    const sized =
      <T extends [Page, ...never[]]>(come: (...to: T) => Promise<void>) =>
      async (...to: T) => {
        await to[0].setViewportSize(size);
        await come(...to);
      };
    return this.seller(person, ...rows).map(({ inside, ...room }, at) => ({
      ...room,
      name: `back office ${rows[at]?.[0]}`,
      open: sized(room.open),
      ...(inside ? { inside: { ...inside, go: sized(inside.go) } } : {}),
    }));
  }

  /** Addresses in a plain browser. */
  plain(...rows: readonly Row[]): Screen[] {
    return rows.map(([name, url, shown]) => ({
      name,
      open: async (page, scheme) => {
        await start(page, scheme);
        await page.goto(url);
        await show(page, shown);
      },
      // The emulators' pages look at the phone's choice at their start alone.
      ...(url.startsWith(this.product.appUrl) ? { darken: fallNight } : {}),
    }));
  }

  private room({ bot, person, row: [name, path, shown] }: Room): Screen {
    return {
      name: `${bot} ${name}`,
      open: async (page, scheme) => {
        await start(page, scheme);
        const takes = { personId: person.id, bot, path, theme: scheme } as const;
        // Some of a screen comes after its first words.
        await page.goto(await launchOf(this.product, takes), { waitUntil: "networkidle" });
        await show(page, shown);
      },
      darken: (page) => this.darken(page, { personId: person.id, bot }),
      // The buyers' page is drawn by the server: each is opened anew.
      ...(bot === "seller" ? { inside: insideOf(person, path, shown) } : {}),
    };
  }

  private async darken(page: Page, who: { personId: number; bot: "seller" | "buyer" }) {
    const url = await launchOf(this.product, { ...who, theme: "dark" });
    const theme: unknown = JSON.parse(
      new URLSearchParams(new URL(url).hash.slice(1)).get("tgWebAppThemeParams") ?? "{}",
    );
    await page.waitForFunction(() => "Telegram" in window);
    await page.evaluate((theme_params) => {
      const { Telegram } = window as unknown as {
        Telegram: { WebView: { receiveEvent(type: string, payload: unknown): void } };
      };
      Telegram.WebView.receiveEvent("theme_changed", { theme_params });
    }, theme);
    await page.locator('html[data-scheme="dark"]').waitFor();
    await fallNight(page);
  }
}

function insideOf(person: Actor, path: string, shown: Shown | undefined) {
  const plain = path.startsWith("/bureau") ? "/bureau/recherche" : "/IndexFaq";
  const go = async (page: Page) => {
    // Through another screen: what was open is gone. What is shown before its code is there comes
    // in React's own time, so it is shown once more.
    do for (const next of [plain, path]) await page.evaluate(goTo, next);
    while (await quiet(page));
    await show(page, shown);
  };
  return { door: `${person.id} ${plain}`, go };
}

/** From nowhere: an address that differs by its fragment alone would not be loaded again. */
async function start(page: Page, scheme: Scheme): Promise<void> {
  requestsOf(page);
  // The tab keeps Telegram's colours, which another screen was shown in.
  if (page.url() !== "about:blank") await page.evaluate(() => sessionStorage.clear());
  await page.goto("about:blank");
  await page.emulateMedia({ colorScheme: scheme });
}

async function fallNight(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark" });
  await settled(page);
}

/** Runs in the page. */
async function goTo(path: string): Promise<void> {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
  await new Promise((drawn) => {
    requestAnimationFrame(() => requestAnimationFrame(drawn));
  });
}
