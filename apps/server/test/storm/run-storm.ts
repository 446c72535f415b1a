import { assert, describeError } from "@sesame/kernel";
import { expect } from "vitest";
import { invariant } from "../../../../tools/testing/invariant.ts";
import * as accounts from "./accounts.ts";
import * as buying from "./buy.ts";
import { calmDown, decideAll } from "./calm.ts";
import { type Draw, drawOf } from "./draw.ts";
import * as refunding from "./give-back.ts";
import { type Lightning, startLightning } from "./lightning.ts";
import { brokenNow, describeCash, differences, forgotten } from "./oracle.ts";
import { type Deed, openTown, type Town } from "./town.ts";
import * as withdrawing from "./withdraw.ts";

const AT_ONCE = 10;
/** Statements to a bolt. */
const ONE_IN = 30;

/** What can happen, and how often beside the others. */
const DEEDS: Readonly<Record<string, readonly [number, Deed]>> = {
  order: [14, buying.order],
  pay: [20, buying.pay],
  "pay again": [2, buying.payAgain],
  "try elsewhere": [3, buying.tryElsewhere],
  "order a plan": [2, buying.orderPlan],
  trial: [1, buying.trial],
  "take back": [4, buying.takeBack],
  "put right": [2, buying.putRight],
  "trouble at a collector": [3, buying.trouble],
  "decide a mismatch": [2, buying.decideSome],
  "refund by its seller": [2, refunding.bySeller],
  "refund by an operator": [2, refunding.byOperator],
  "give a number": [3, refunding.giveNumber],
  "handle a refund": [6, refunding.handle],
  "note a fee": [1, refunding.note],
  "ask for a payout": [8, withdrawing.ask],
  automatic: [2, withdrawing.automatic],
  cancel: [1, withdrawing.cancel],
  approve: [9, withdrawing.approve],
  reject: [1, withdrawing.reject],
  "pay by hand": [4, withdrawing.payByHand],
  "give up": [1, withdrawing.fail],
  "come back by hand": [1, withdrawing.comeBack],
  resolve: [2, withdrawing.resolve],
  "trouble at a sender": [3, withdrawing.trouble],
  "end there": [2, withdrawing.endThere],
  "reverse there": [1, withdrawing.reverse],
  close: [1, accounts.close],
  reopen: [1, accounts.reopen],
  erase: [1, accounts.erase],
  shelve: [1, accounts.shelve],
  measure: [1, accounts.measure],
  "write off": [2, accounts.writeOff],
  reconcile: [1, accounts.reconcile],
  work: [10, accounts.work],
  pass: [7, accounts.pass],
};

const NAMES = Object.entries(DEEDS).flatMap(([name, [often]]) => Array<string>(often).fill(name));

/** One deed of the storm. → what it said */
export async function perform(town: Town, seed: number): Promise<string> {
  const draw = drawOf(seed);
  const name = draw.pick(NAMES) ?? "";
  return `${name}: ${await DEEDS[name]?.[1](town, draw)}`;
}

/** Each has sold something before it begins. */
async function sellFirst(town: Town, draw: Draw): Promise<void> {
  for (let count = 0; count < 25; count++) {
    await buying.order(town, draw);
    await buying.pay(town, draw);
  }
  await town.app.drain();
}

export type Weather = {
  readonly rounds: number;
  /** Happens beside the deeds of each round. */
  beside?(town: Town, draw: Draw): Promise<void>;
  /** After the last round, before calm. → errors that are bugs */
  stop?(): Promise<string[]>;
};

type Storm = Weather & {
  readonly town: Town;
  readonly lightning: Lightning;
  readonly said: string[];
};

async function rage({ town, lightning, said, rounds, beside }: Storm, draw: Draw): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    lightning.oneIn = ONE_IN;
    const deeds = Array.from({ length: AT_ONCE }, () => perform(town, draw.next()));
    const other = beside?.(town, drawOf(draw.next()));
    said.push(...(await Promise.all(deeds)).map((each) => `${round} ${each}`));
    await other;
    lightning.oneIn = 0;
    if (draw.oneIn(2)) await town.app.drain();
    expect((await brokenNow(town)).join("\n")).toBe("");
  }
}

/**
 * The draw of deeds and of bolts is the seed's; in which order the database lets them through is not:
 * the same seed may pass again. What was done, and every payment, is printed of one that fails.
 */
export async function runStorm(seed: number, weather: Weather): Promise<void> {
  const draw = drawOf(seed);
  const lightning = startLightning(drawOf(draw.next()));
  const town = await openTown();
  const said: string[] = [];
  try {
    await sellFirst(town, draw);
    await rage({ ...weather, town, lightning, said }, draw);
    const bugsBeside = (await weather.stop?.()) ?? [];
    await calmDown(town);
    await invariant("books and emulators agree", async () => {
      const open = await forgotten(town);
      const left = await decideAll(town, draw);
      const wrong = [...open, ...left, ...(await brokenNow(town)), ...(await differences(town))];
      assert(wrong.length === 0, wrong.join("\n"));
    });
    const bugs = [...town.app.takeErrors(), ...bugsBeside].filter(
      (line) => !line.includes("Outage"),
    );
    expect(bugs).toEqual([]);
    process.stdout.write(`seed ${seed}: ${said.length} deeds, ${lightning.struck} bolts\n`);
  } catch (error) {
    lightning.oneIn = 0;
    const cash = await describeCash(town);
    process.stdout.write(
      `seed ${seed}, in order:\n${[...said, ...cash].join("\n")}\n${describeError(error)}\n`,
    );
    town.app.takeErrors();
    throw error;
  } finally {
    lightning.stop();
    await weather.stop?.();
    await town.app.close();
  }
}
