import { noticeView } from "../moneroo/notices.ts";
import { paymentView } from "../moneroo/checkout.ts";
import { botViews, chatView, dialogViews, personView, talkView } from "../telegram/views.ts";
import type { PhoneId, PhoneView, WorldState } from "../wire.ts";
import type { RunningWorld } from "./running-world.ts";

/** The pages show the latest ones only. */
const SHOWN_PAYMENTS = 50;
const SHOWN_NOTICES = 50;

export function phoneView(world: RunningWorld, id: PhoneId): PhoneView {
  return {
    id,
    personId: world.saved.phones[id],
    appOrigin: world.phoneOrigin(id),
    delayMs: world.phoneDelays[id],
  };
}

export function snapshot(world: RunningWorld): WorldState {
  const { saved, town, moneroo, faults, clock } = world;
  const { telegram } = saved;
  const payments = [...saved.moneroo.payments.values()].slice(-SHOWN_PAYMENTS);
  return {
    version: world.version(),
    now: clock.now().toISOString(),
    offsetMs: clock.offsetMs(),
    appUrl: world.appUrl(),
    worldUrl: world.url(),
    phones: (Object.keys(saved.phones) as PhoneId[]).map((id) => phoneView(world, id)),
    persons: [...telegram.persons.values()].map(personView),
    bots: botViews(town),
    chats: [...telegram.chats.values()]
      .filter((chat) => !chat.deleted)
      .map((chat) => chatView(town, chat)),
    dialogs: [...telegram.dialogs.values()].flatMap((dialog) => dialogViews(town, dialog)),
    talks: [...telegram.talks].map(([key, messages]) => talkView(key, messages)),
    payments: payments.reverse().map((payment) => paymentView(payment, world.url())),
    notices: saved.moneroo.notices.slice(-SHOWN_NOTICES).reverse().map(noticeView),
    faults: {
      telegram: faults.rules,
      updates: town.updates.delivery,
      moneroo: moneroo.modes,
      notices: moneroo.notices,
    },
  };
}
