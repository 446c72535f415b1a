import type { Page } from "@playwright/test";
import type { StartedProduct } from "../tools/launch/start-product.ts";
import { type Actor, launchOf } from "./scene.ts";
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

type Room = {
  readonly name: string;
  readonly bot: "seller" | "buyer";
  readonly person: Actor;
  readonly path: string;
  readonly after: ((page: Page) => Promise<void>) | undefined;
};

/** Ways into the app: as its own page on a phone's origin, with Telegram's launch parameters. */
export class Rooms {
  readonly product: StartedProduct;

  constructor(product: StartedProduct) {
    this.product = product;
  }

  seller(name: string, person: Actor, path: string, after?: (page: Page) => Promise<void>): Screen {
    return this.room({ name: `seller ${name}`, bot: "seller", person, path, after });
  }

  buyer(name: string, person: Actor, path: string, after?: (page: Page) => Promise<void>): Screen {
    return this.room({ name: `buyer ${name}`, bot: "buyer", person, path, after });
  }

  plain(name: string, url: string, after?: (page: Page) => Promise<void>): Screen {
    return {
      name,
      open: async (page, scheme) => {
        await start(page, scheme);
        await page.goto(url);
        await after?.(page);
      },
      // The emulators' pages look at the phone's choice at their start alone.
      ...(url.startsWith(this.product.appUrl) ? { darken: fallNight } : {}),
    };
  }

  private room(room: Room): Screen {
    const { name, bot, person, path, after } = room;
    return {
      name,
      open: async (page, scheme) => {
        await start(page, scheme);
        const takes = { personId: person.id, bot, path, theme: scheme } as const;
        const { url } = await launchOf(this.product, takes);
        // Some of a screen comes after its first words.
        await page.goto(url, { waitUntil: "networkidle" });
        await after?.(page);
      },
      // The buyers' page is drawn by the server, and reads its colours at its start alone.
      ...(bot === "seller" ? this.insideOf({ person, path, after }) : {}),
    };
  }

  private insideOf(at: Pick<Room, "person" | "path" | "after">): Pick<Screen, "inside" | "darken"> {
    const { person, path, after } = at;
    const plain = path.startsWith("/bureau") ? "/bureau/recherche" : "/IndexFaq";
    const go = async (page: Page) => {
      // Through another screen: what was open is gone. What is shown before its code is there comes
      // in React's own time, so it is shown once more.
      do for (const next of [plain, path]) await page.evaluate(goTo, next);
      while (await quiet(page));
      await after?.(page);
    };
    return {
      inside: { door: `${person.id} ${plain}`, go },
      darken: (page) => this.darken(page, { person, bot: "seller" }),
    };
  }

  private async darken(page: Page, who: { person: Actor; bot: "seller" }): Promise<void> {
    const takes = { personId: who.person.id, bot: who.bot, theme: "dark" } as const;
    const { url } = await launchOf(this.product, takes);
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
