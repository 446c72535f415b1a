import { networkView, NETWORKS } from "../mobile-money/networks.ts";
import type { PayoutDesk } from "../kit/payouts.ts";
import { payoutDesks } from "../providers.ts";
import { botViews, chatView, dialogViews, personView, talkView } from "../telegram/views.ts";
import type { FaultsView, FloatView, PayoutView, PhoneId, PhoneView, WorldState } from "../wire.ts";
import { collectorViews, merchantViews } from "./payments.ts";
import type { RunningWorld } from "./running-world.ts";

/** The pages show the latest ones only. */
const SHOWN_PAYOUTS = 50;
const SHOWN_SMS = 100;

export function phoneView(world: RunningWorld, id: PhoneId): PhoneView {
  return {
    id,
    personId: world.saved.phones[id],
    appOrigin: world.phoneOrigin(id),
    delayMs: world.phoneDelays[id],
  };
}

export function snapshot(world: RunningWorld): WorldState {
  const { saved, town, clock, mobileMoney } = world;
  const { telegram } = saved;
  return {
    version: world.version(),
    now: clock.now().toISOString(),
    offsetMs: clock.offsetMs(),
    appUrl: world.appUrl(),
    worldUrl: world.url(),
    phones: (Object.keys(saved.phones) as PhoneId[]).map((id) => phoneView(world, id)),
    persons: [...telegram.persons.values()].map((person) => personView(town, person)),
    bots: botViews(town),
    chats: [...telegram.chats.values()]
      .filter((chat) => !chat.deleted)
      .map((chat) => chatView(town, chat)),
    dialogs: [...telegram.dialogs.values()].flatMap((dialog) => dialogViews(town, dialog)),
    talks: [...telegram.talks].map(([key, messages]) => talkView(key, messages)),
    collectors: collectorViews(world),
    merchants: merchantViews(world),
    payouts: payoutViews(world),
    floats: floatViews(world),
    networks: NETWORKS.map(networkView),
    wallets: mobileMoney.wallets(),
    sms: mobileMoney.sms().slice(-SHOWN_SMS),
    faults: faultsView(world),
  };
}

export function faultsView(world: RunningWorld): FaultsView {
  const { faults, town, paydunya, moneroo, fedapay } = world;
  return {
    telegram: faults.rules,
    lateStars: town.stars.late,
    kkiapay: world.kkiapay.modes,
    updates: town.updates.delivery,
    payouts: {
      paydunya: paydunya.faults(),
      moneroo: moneroo.payouts.faults(),
      fedapay: fedapay.faults(),
    },
  };
}

function payoutViews(world: RunningWorld): PayoutView[] {
  const all = Object.values(payoutDesks(world)).flatMap((desk) => desk.latest(SHOWN_PAYOUTS));
  return all.sort((a, b) => b.createdAt.localeCompare(a.createdAt)).slice(0, SHOWN_PAYOUTS);
}

function floatViews(world: RunningWorld): FloatView[] {
  const desks = Object.entries(payoutDesks(world)) as [FloatView["provider"], PayoutDesk][];
  return desks.flatMap(([provider, desk]) =>
    Object.entries(desk.floats()).map(([account, amount]) => ({ provider, account, amount })),
  );
}
