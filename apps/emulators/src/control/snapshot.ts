import { NETWORKS } from "../mobile-money/networks.ts";
import type { EmulatedPayments } from "../kit/payments.ts";
import type { Parties } from "../providers.ts";
import { botViews, chatView, dialogViews, personView, talkView } from "../telegram/views.ts";
import type { CollectorName, MerchantView, PhoneId, EmulatorEvent } from "../wire.ts";
import type { AdjustableClock } from "@sesame/kernel";
import type { OfPhones } from "../phones.ts";
import type { Actors } from "../telegram/actors.ts";
import type { BotApi, TelegramFaults } from "../telegram/bot-api-server.ts";
import type { Telegram } from "../telegram/state.ts";
import type { SavedEmulators } from "../emulator-state.ts";

/** Parts of the started emulators, for the pages and the control panel. */
export type RunningEmulators = Parties & {
  saved: SavedEmulators;
  emulated: Telegram;
  actors: Actors;
  faults: TelegramFaults;
  clock: AdjustableClock;
  url(): string;
  phoneOrigin(id: PhoneId): string;
  phoneDelays: OfPhones;
  onExchange: BotApi["onExchange"];
} & ReturnType<typeof watchers>;

type Listener = { changed(): void; show(event: EmulatorEvent): void };

/** Listeners to changes, and the number of changes so far. */
export function watchers(touch: () => void) {
  const listeners = new Set<Listener>();
  let version = 0;
  return {
    version: () => version,
    changed() {
      version += 1;
      touch();
      for (const listener of listeners) listener.changed();
    },
    show(event: EmulatorEvent) {
      for (const listener of listeners) listener.show(event);
    },
    /** Calls back at each change and each event. */
    listen(listener: Listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The pages show the latest ones only. */
const SHOWN = 50;
const SHOWN_SMS = 100;

export function phoneView(emulators: RunningEmulators, id: PhoneId) {
  return {
    id,
    /** Who holds the phone. */
    personId: emulators.saved.phones[id],
    /** Of the app inside this phone: its own local storage. */
    appOrigin: emulators.phoneOrigin(id),
    /** How long its network delays each request to the app. */
    delayMs: emulators.phoneDelays[id],
  };
}

export function snapshot(emulators: RunningEmulators) {
  const { saved, emulated, clock, mobileMoney } = emulators;
  const { telegram } = saved;
  const payers = Object.values(emulators.payers);
  return {
    /** Grows with each change. */
    version: emulators.version(),
    now: clock.now().toISOString(),
    offsetMs: clock.offsetMs(),
    appUrl: emulated.settings.publicUrl,
    emulatorUrl: emulators.url(),
    phones: (Object.keys(saved.phones) as PhoneId[]).map((id) => phoneView(emulators, id)),
    persons: [...telegram.persons.values()].map((person) => personView(emulated, person)),
    bots: botViews(emulated),
    chats: [...telegram.chats.values()].map((chat) => chatView(emulated, chat)),
    dialogs: [...telegram.dialogs.values()].flatMap((dialog) => dialogViews(emulated, dialog)),
    talks: [...telegram.talks].map(([key, messages]) => talkView(key, messages)),
    collectors: (Object.entries(emulators.collectors) as [CollectorName, EmulatedPayments][]).map(
      ([name, payments]) => collectorView(name, payments),
    ),
    merchants: Object.values<{ sellers(): MerchantView[] }>(emulators.merchants).flatMap(
      (accounts) => accounts.sellers(),
    ),
    /** Newest first. */
    payouts: payers
      .flatMap((payer) => payer.list().slice(-SHOWN))
      .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
      .slice(0, SHOWN),
    floats: payers.flatMap((payer) => payer.balances()),
    networks: NETWORKS,
    wallets: mobileMoney.wallets(),
    /** Oldest first. */
    sms: mobileMoney.sms().slice(-SHOWN_SMS),
    faults: faultsView(emulators),
  };
}

export function faultsView(emulators: RunningEmulators) {
  const { faults, emulated, paydunya, moneroo, fedapay } = emulators;
  return {
    telegram: faults.rules,
    lateStars: emulated.stars.late,
    kkiapay: emulators.kkiapay.modes,
    updates: emulated.updates.delivery,
    payouts: {
      paydunya: paydunya.faults(),
      moneroo: moneroo.payouts.faults(),
      fedapay: fedapay.faults(),
    },
  };
}

/** The latest first. */
export function collectorView(name: CollectorName, collector: EmulatedPayments) {
  return {
    name,
    payments: [...collector.latest(SHOWN)].reverse(),
    faults: [...collector.faults()],
    webhooks: collector.webhooks,
    sentWebhooks: collector.webhookViews().slice(-SHOWN).reverse(),
  };
}
