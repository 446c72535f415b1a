import { NORMAL_MODES } from "../kkiapay/kkiapay.ts";
import { payoutDesks } from "../providers.ts";
import { NotPossible } from "../telegram/api-error.ts";
import { NORMAL_DELIVERY } from "../telegram/updates.ts";
import type { ControlCalls, FaultsView } from "../wire.ts";
import { clearPaymentFaults, paymentPanel } from "./payments.ts";
import type { RunningWorld } from "./running-world.ts";
import { faultsView, phoneView } from "./snapshot.ts";

/** What the control panel does, by name. */
export type Panel = {
  [K in keyof ControlCalls]: (input: ControlCalls[K]["takes"]) => ControlCalls[K]["gives"];
};

export function controlPanel(world: RunningWorld): Panel {
  const { clock, phoneDelays } = world;
  return {
    advanceClock({ ms }) {
      if (!Number.isFinite(ms) || ms < 0) throw new NotPossible("the clock only goes forward");
      clock.advance(ms);
      return { offsetMs: clock.offsetMs() };
    },
    setClockOffset({ offsetMs }) {
      if (!Number.isFinite(offsetMs)) throw new NotPossible("not an offset");
      clock.setOffset(offsetMs);
      return { offsetMs: clock.offsetMs() };
    },
    setPhoneNetwork({ phone, delayMs }) {
      if (!Object.hasOwn(phoneDelays, phone)) throw new NotPossible(`no phone ${phone}`);
      if (!Number.isFinite(delayMs) || delayMs < 0) throw new NotPossible("not a delay");
      phoneDelays[phone] = delayMs;
      world.changed();
      return phoneView(world, phone);
    },
    ...faultPanel(world),
    ...quirkPanel(world),
    ...payoutPanel(world),
    ...paymentPanel(world),
  };
}

function faultPanel(world: RunningWorld) {
  const { faults, town } = world;
  const { delivery } = town.updates;
  const desks = payoutDesks(world);
  const faultsNow = (): FaultsView => {
    world.changed();
    return faultsView(world);
  };
  return {
    addTelegramFault(rule) {
      faults.add(rule);
      return faultsNow();
    },
    clearTelegramFaults() {
      faults.clear();
      return faultsNow();
    },
    setUpdateDelivery(change) {
      Object.assign(delivery, pick(change, NORMAL_DELIVERY));
      return faultsNow();
    },
    setPayoutFault({ provider, kind, ...how }) {
      const desk = known(desks, provider);
      if (kind === null) desk.clearFaults();
      else desk.fault(kind, how);
      return faultsNow();
    },
    clearFaults() {
      faults.clear();
      town.stars.late = false;
      Object.assign(world.kkiapay.modes, NORMAL_MODES);
      Object.assign(delivery, NORMAL_DELIVERY);
      clearPaymentFaults(world);
      for (const desk of Object.values(desks)) desk.clearFaults();
      return faultsNow();
    },
  } satisfies Partial<Panel>;
}

/** What one provider of payments does that others do not. */
function quirkPanel(world: RunningWorld) {
  const { town, kkiapay } = world;
  const faultsNow = (): FaultsView => {
    world.changed();
    return faultsView(world);
  };
  return {
    setKkiapay(change) {
      Object.assign(kkiapay.modes, pick(change, NORMAL_MODES));
      return faultsNow();
    },
    setStars({ late, personId, stars }) {
      if (late !== undefined) town.stars.late = late;
      if (personId !== undefined && stars !== undefined) {
        if (!Number.isInteger(stars) || stars < 0) throw new NotPossible("not a number of Stars");
        town.stars.setWallet(personId, stars);
      }
      return faultsNow();
    },
  } satisfies Partial<Panel>;
}

/** Money on its way out, and what people have on their phones. */
function payoutPanel(world: RunningWorld) {
  const desks = payoutDesks(world);
  return {
    settlePayout: ({ provider, payoutId, outcome, why }) =>
      known(desks, provider).settle(payoutId, outcome, why),
    setFloat({ provider, account, amount }) {
      known(desks, provider).setFloat(amount, account);
      return { provider, account, amount };
    },
    creditWallet: ({ phone, amount }) => world.mobileMoney.credit(phone, amount),
    plantPayout: ({ provider, ...planted }) => known(desks, provider).plant(planted),
    forgetPayout({ provider, payoutId }) {
      known(desks, provider).forget(payoutId);
      return null;
    },
  } satisfies Partial<Panel>;
}

function known<T extends object, K extends keyof T>(table: T, name: K): T[K] {
  if (!Object.hasOwn(table, name)) throw new NotPossible(`no provider ${String(name)}`);
  return table[name];
}

/** Keeps the known settings of a change, and nothing else that came with it. */
function pick<T extends object>(change: Partial<T>, known: T): Partial<T> {
  const kept: Partial<T> = {};
  for (const key of Object.keys(known) as (keyof T)[]) {
    if (change[key] !== undefined) kept[key] = change[key];
  }
  return kept;
}
