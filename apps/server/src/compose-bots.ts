import { findOperators } from "./features/claims/claim.store.ts";
import { sayDuration, type PublicProductOnWire } from "@sesame/contract/catalogue";
import type { Clock } from "@sesame/kernel";
import { createAppButton } from "./bot/app-button.ts";
import { type BotDoor, type BotFace, createBotDoor, createTelegram } from "./bot/bots.ts";
import { createSayInstant } from "./bot/messages.fr.ts";
import type { BotName } from "./bot/gateway.ts";
import type { UpdateHandler } from "./bot/update-desk.ts";
import type { Config } from "./config.ts";
import { type Accesses, createAccess } from "./features/access/index.ts";
import { imageUrlOf } from "./features/catalogue/image-files.ts";
import { createGroups, createLinkPayloads, type Groups } from "./features/groups/index.ts";
import type { Desk } from "./features/desk/index.ts";
import { createConversation, type Support } from "./features/onboarding/bot.ts";
import {
  BUYER_FACE,
  COMMON_FACE,
  MENU_BUYER,
  MENU_SELLER,
  SELLER_FACE,
} from "./features/onboarding/messages.fr.ts";
import type { HttpServer } from "./http/server.ts";
import type { Db } from "./postgres/database.ts";
import type { Listener } from "./postgres/listener.ts";

export type Doors = {
  readonly telegram: ReturnType<typeof createTelegram>;
  readonly groups: Groups;
  readonly accesses: Accesses;
};

type Base = { readonly config: Config; readonly db: Db; readonly clock: Clock };

/** The chats and who may be in them: what sells, and what serves. */
export function composeDoors({ config, db, clock }: Base): Doors {
  const telegram = createTelegram({ config, db, clock });
  const appButton = createAppButton(config);
  const payloads = createLinkPayloads(config.secretsKey, config.previousSecretsKeys);
  const groups = createGroups({ db, clock, telegram, appButton, payloads });
  const accesses = createAccess({
    db,
    clock,
    telegram,
    groups,
    appButton,
    sayInstant: createSayInstant(config.timeZone),
    imageUrl: imageUrlOf,
    findOperators: (tx) => findOperators(tx, config.operatorTelegramIds),
  });
  return { telegram, groups, accesses };
}

type BotsBase = Base & {
  readonly doors: Doors;
  readonly http: HttpServer;
  readonly listener: Listener;
  publicProduct(reference: string): Promise<PublicProductOnWire | null>;
  support(): Promise<Support>;
  /** What the sellers' bot answers for features beyond the chats. */
  readonly sellerUpdates: readonly UpdateHandler[];
  /** The same of the buyers' bot. */
  readonly buyerUpdates: readonly UpdateHandler[];
  readonly desk: Pick<Desk, "replyToStaff" | "staffButtons">;
};

/** What comes from Telegram, and what the bots answer. */
export function composeBots(base: BotsBase): BotDoor {
  const { config, db, clock, doors, http, listener } = base;
  const { telegram, groups, accesses } = doors;
  const conversation = (bot: BotName): UpdateHandler =>
    createConversation(
      {
        db,
        clock,
        telegram,
        appButton: createAppButton(config),
        sayInstant: createSayInstant(config.timeZone),
        accessesOf: accesses.accessesOf,
        cardOf: async (reference) => cardOf(await base.publicProduct(reference)),
        support: base.support,
        replyToStaff: bot === "seller" ? base.desk.replyToStaff : null,
        staffButtons: bot === "seller" ? base.desk.staffButtons : () => [],
      },
      bot,
    );
  const seller = conversation("seller");
  const buyer = config.oneBot ? seller : conversation("buyer");
  return createBotDoor({
    config,
    db,
    clock,
    telegram,
    http,
    listener,
    faces: facesOf(config),
    handlers: {
      seller: [seller, groups.updates, accesses.updates, ...base.sellerUpdates],
      buyer: [...base.buyerUpdates, buyer],
    },
  });
}

function cardOf(product: PublicProductOnWire | null) {
  if (product?.status !== "active") return null;
  const { title, price, description, duration, group } = product;
  const access = group && { duration: sayDuration(duration), group: group.name };
  return { title, price, description, access };
}

function facesOf(config: Config): Record<BotName, BotFace> {
  const inside = config.demo || config.publicUrl.startsWith("https://");
  const button = (text: string, path: string) =>
    inside ? { text, url: config.publicUrl + path } : null;
  const sellerMenu = button(MENU_SELLER, "/");
  return {
    seller: { ...(config.oneBot ? COMMON_FACE : SELLER_FACE), menuButton: sellerMenu },
    buyer: { ...BUYER_FACE, menuButton: button(MENU_BUYER, "/mes-acces") },
  };
}
