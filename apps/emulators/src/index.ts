import { type AdjustableClock, adjustableClock, systemRandom } from "@sesame/kernel";
import { controlPanel } from "./control/panel.ts";
import { registerControlRoutes } from "./control/routes.ts";
import { type RunningEmulators, snapshot, watchers } from "./control/snapshot.ts";
import type { KeysOf } from "./kit/accounts.ts";
import { startDeveloper } from "./developer/developer.ts";
import { type OfPhones, startPhones } from "./phones.ts";
import { startProviders } from "./providers.ts";
import { startScheduler } from "./scheduler.ts";
import { newServer, registerPages } from "./server.ts";
import { openEmulators, startStore } from "./emulator-state.ts";
import { allActors } from "./telegram/actors.ts";
import { startBotApi, telegramFaults } from "./telegram/bot-api-server.ts";
import { phoneOpener } from "./telegram/opener.ts";
import { startStars } from "./telegram/stars.ts";
import { lookups, type Telegram } from "./telegram/state.ts";
import { startUpdates } from "./telegram/updates.ts";
import type { MerchantProviderName, PhoneId } from "./wire.ts";

export type { EmulatedPayments } from "./kit/payments.ts";
export type { EmulatedPayouts } from "./kit/payouts.ts";
export type { Exchange } from "./telegram/bot-api-server.ts";
export type * from "./wire.ts";

/** With the app's accounts at providers: one without an account refuses every call. */
export type EmulatorOptions = { [N in MerchantProviderName]?: KeysOf<N> } & {
  /** 0: a free one is found. */
  port: number;
  /** 127.0.0.1 when absent. */
  host?: string;
  /** Where this machine reaches the app. */
  appUrl: string;
  /** Where people reach the app; `appUrl` when absent. The emulators are shown under the same host. */
  publicUrl?: string;
  /** A port for each phone's own origin (0: any); without them the phones open `appUrl` itself. */
  phonePorts?: OfPhones;
  /** When absent, a running clock of its own. */
  clock?: AdjustableClock;
  /** File of the state between two starts; without it the state is lost. */
  statePath?: string;
  sellerBotToken: string;
  buyerBotToken: string;
  /** Short name of the direct-link mini app, if any. */
  buyerAppName?: string;
  /** Whether Moneroo also announces `payment.initiated`; yes when absent. */
  announceInitiated?: boolean;
};

export type Emulators = Awaited<ReturnType<typeof startEmulators>>;

/** Starts all emulators: Telegram, providers, phones and control panel on one port. */
export async function startEmulators(options: EmulatorOptions) {
  const clock = options.clock ?? adjustableClock();
  const { saved, watching, keeping } = keepEmulators(options, clock);
  const { appUrl, publicUrl = appUrl, buyerAppName = null, host = "127.0.0.1" } = options;
  const allowLocalAddresses = publicUrl.startsWith("http:");
  const scheduler = startScheduler(clock);
  const { changed, show } = watching;
  const emulated: Telegram = {
    ...lookups(saved.telegram, clock),
    state: saved.telegram,
    clock,
    random: systemRandom,
    scheduler,
    updates: startUpdates(clock, scheduler, changed),
    settings: { appUrl, publicUrl, buyerAppName, allowLocalAddresses },
    changed,
    show,
    get stars() {
      return stars;
    },
  };
  const stars = startStars(emulated);
  const server = newServer();
  const faults = telegramFaults();
  const botApi = startBotApi(emulated, faults);
  const emulatorUrl = () => server.url(publicUrl);
  const { parties, ...providers } = startProviders(options, { saved, emulated, emulatorUrl });
  const phoneDelays: OfPhones = { seller: 0, buyer: 0, agent: 0 };
  const { phonePorts: ports } = options;
  const proxies = ports
    ? await startPhones({ ports, host, appUrl, publicUrl, delays: phoneDelays })
    : null;
  const phoneOrigin = (id: PhoneId) => proxies?.origins[id] ?? publicUrl;
  const { phones } = saved;
  const opener = phoneOpener(emulated, phones, phoneOrigin);
  const { mobileMoney } = parties;
  const running: RunningEmulators = {
    saved,
    emulated,
    actors: allActors(emulated, { opener, phones, mobileMoney }),
    faults,
    ...parties,
    clock,
    url: emulatorUrl,
    phoneOrigin,
    phoneDelays,
    onExchange: botApi.onExchange,
    ...watching,
  };
  const panel = controlPanel(running);
  const developer = startDeveloper(clock);
  const { app } = server;
  for (const part of [botApi, providers]) part.register(app);
  await developer.register(app);
  registerControlRoutes(app, running, panel);
  await registerPages(app);
  await app.listen({ port: options.port, host });
  const close = async () => {
    for (const part of [botApi, providers, scheduler]) part.close();
    // First of all: the process may be ended before the connections are closed.
    keeping.flush();
    await Promise.all([server.close(), proxies?.close()]);
    keeping.close();
  };
  return {
    ...parties,
    /** As people open it. */
    url: running.url(),
    /** The same with the address as a number, for programs: no name to look up. */
    apiRoot: server.root(),
    ports: { emulators: server.port(), ...proxies?.ports },
    /** Telegram for tests: people's actions by name, faults, and recorded calls. */
    telegram: {
      ...running.actors,
      faults,
      bots: () => snapshot(running).bots,
      onExchange: botApi.onExchange,
      onUpdate: botApi.onUpdate,
    },
    panel,
    clock,
    state: () => snapshot(running),
    /** A seller's own programmer, whose addresses receive events. */
    developer,
    close,
  };
}

/** Reads the state of the last run, the clock included, and writes changes. */
function keepEmulators(options: EmulatorOptions, clock: AdjustableClock) {
  const tokens = { seller: options.sellerBotToken, buyer: options.buyerBotToken };
  const saved = openEmulators(options.statePath ?? null, { tokens, clock });
  if (saved.offsetMs !== 0) clock.setOffset(saved.offsetMs);
  const store = options.statePath === undefined ? null : startStore(options.statePath, () => saved);
  const watching = watchers(() => store?.touch());
  const stopKeepingOffset = clock.onJump(() => {
    saved.offsetMs = clock.offsetMs();
    watching.changed();
  });
  const flush = () => store?.flush();
  const close = () => {
    stopKeepingOffset();
    flush();
  };
  return { saved, watching, keeping: { flush, close } };
}
