import type { Clock } from "@sesame/kernel";
import type { CryptoInvoice } from "./cryptopay/cryptopay.ts";
import type { Transaction } from "./fedapay/shapes.ts";
import type { KeysOf } from "./kit/accounts.ts";
import { emptyBook } from "./kit/provider.ts";
import type { Opening } from "./kkiapay/kkiapay.ts";
import { emptyMobileMoney } from "./mobile-money/mobile-money.ts";
import type { MonerooPayment } from "./moneroo/shapes.ts";
import type { Invoice } from "./paydunya/paydunya.ts";
import { emptyTelegram, newBot, type Bot } from "./telegram/state.ts";
import type { BotRole } from "./wire.ts";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** The whole state of the emulators, as their file stores it. */
export type SavedEmulators = ReturnType<typeof newEmulators>;

type BotTokens = Record<BotRole, string>;

/**
 * Reads the state of the last run, or makes a new one with its first people. What a file of an
 * older version lacks is as in a new state.
 */
export function openEmulators(
  path: string | null,
  { tokens, clock }: { tokens: BotTokens; clock: Clock },
): SavedEmulators {
  const emulators = newEmulators();
  const kept = path === null || !existsSync(path) ? null : readFileSync(path, "utf8");
  const { offsetMs, ...saved }: SavedEmulators =
    kept === null ? emulators : JSON.parse(kept, revive);
  for (const [name, part] of Object.entries(saved)) {
    Object.assign(emulators[name as keyof typeof saved], part);
  }
  emulators.offsetMs = offsetMs;
  const { telegram } = emulators;
  telegram.bots = botsFor(tokens, { known: telegram.bots, clock });
  return emulators;
}

function newEmulators() {
  const telegram = emptyTelegram();
  const settle = (firstName: string, lastName: string | null, username: string | null) => {
    const id = telegram.nextPersonId++;
    telegram.persons.set(id, { id, firstName, lastName, username, languageCode: "fr" });
    return id;
  };
  const seller = settle("Awa", "Koné", "awakone");
  const buyer = settle("Moussa", "Traoré", "moussatraore");
  const agent = settle("Fatou", "Diallo", "fatoudiallo");
  // Neither a last name nor a username: Telegram promises neither.
  settle("Kofi", null, null);
  settle("Ibrahim", "Sow", "ibrahimsow");
  return {
    telegram,
    moneroo: emptyBook<KeysOf<"moneroo">, MonerooPayment>(),
    paydunya: emptyBook<KeysOf<"paydunya">, Invoice>(),
    fedapay: emptyBook<KeysOf<"fedapay">, Transaction>(),
    kkiapay: emptyBook<KeysOf<"kkiapay">, Opening>(),
    cryptopay: emptyBook<KeysOf<"cryptopay">, CryptoInvoice>(),
    mobileMoney: emptyMobileMoney(),
    /** Who holds which phone. */
    phones: { seller, buyer, agent },
    offsetMs: 0,
  };
}

/** One bot by token: the same token for both roles is one bot. A known bot keeps all it had. */
function botsFor(tokens: BotTokens, from: { known: Bot[]; clock: Clock }): Bot[] {
  if (tokens.seller === tokens.buyer) {
    return [botFor(tokens.seller, ["seller", "buyer"], from)];
  }
  return [botFor(tokens.seller, ["seller"], from), botFor(tokens.buyer, ["buyer"], from)];
}

function botFor(token: string, roles: BotRole[], from: { known: Bot[]; clock: Clock }): Bot {
  const id = Number(/^\d+/.exec(token)?.[0] ?? 0);
  const known = from.known.find((bot) => bot.id === id);
  if (known !== undefined) return Object.assign(known, { token, roles });
  return newBot(id, token, roles, from.clock.now());
}

const WRITE_AFTER_MS = 300;
/** A large state is written less often: writing takes a tenth of the time at most. */
const REST_FACTOR = 10;

/** Keeps a value in one JSON file, so that a second start finds all of it. */
export function startStore(path: string, state: () => unknown) {
  let timer: NodeJS.Timeout | undefined;
  let dirty = false;
  let waitMs = WRITE_AFTER_MS;
  mkdirSync(dirname(path), { recursive: true });

  /** Writes the last changes at once. */
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!dirty) return;
    dirty = false;
    // Renaming is atomic: a reader finds the old state or the new one, never half of one.
    const draft = `${path}.new`;
    const startMs = performance.now();
    writeFileSync(draft, JSON.stringify(state(), replace));
    renameSync(draft, path);
    waitMs = Math.max(WRITE_AFTER_MS, (performance.now() - startMs) * REST_FACTOR);
  };
  return {
    /** Reports a change: the file is written soon. */
    touch() {
      dirty = true;
      timer ??= setTimeout(flush, waitMs).unref();
    },
    flush,
  };
}

/** JSON knows neither maps nor sets. */
function replace(_key: string, value: unknown): unknown {
  if (value instanceof Map) return { $map: [...value] };
  if (value instanceof Set) return { $set: [...value] };
  return value;
}

function revive(_key: string, value: unknown): unknown {
  if (typeof value === "object" && value !== null) {
    if ("$map" in value) return new Map(value.$map as [unknown, unknown][]);
    if ("$set" in value) return new Set(value.$set as unknown[]);
  }
  return value;
}
