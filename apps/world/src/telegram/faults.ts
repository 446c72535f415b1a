import type { Chance } from "@sesame/kernel";
import type { TelegramFault, TelegramFaultRule } from "../wire.ts";
import type { Bot } from "./state.ts";

/** Faults to come, by method: how Telegram is made to fail on purpose. */
export type TelegramFaults = {
  rules: TelegramFaultRule[];
  add(rule: TelegramFaultRule): void;
  clear(): void;
  /** The fault that hits this call, if any; counts it. */
  strike(bot: Bot, method: string): TelegramFault | null;
};

export function telegramFaults(chance: Chance): TelegramFaults {
  const faults: TelegramFaults = {
    rules: [],
    add(rule) {
      faults.rules.push({ ...rule });
    },
    clear() {
      faults.rules = [];
    },
    strike(bot, method) {
      const rule = faults.rules.find((each) => hits(each, bot, method));
      if (rule === undefined) return null;
      const share = rule.rate ?? 1;
      if (share < 1 && (chance.bytes(1)[0] ?? 0) / 256 >= share) return null;
      if (rule.times !== null) rule.times -= 1;
      faults.rules = faults.rules.filter((each) => each.times === null || each.times > 0);
      return rule.fault;
    },
  };
  return faults;
}

function hits(rule: TelegramFaultRule, bot: Bot, method: string): boolean {
  if (rule.bot !== undefined && !bot.roles.includes(rule.bot)) return false;
  const named = rule.method.toLowerCase();
  // A poll that fails looks like a dead bot: only by its name.
  return named === "*" ? method !== "getupdates" : named === method;
}
