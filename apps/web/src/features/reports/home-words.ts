import type { UserOnWire } from "@sesame/contract/identity";
import { formatFcfa, formatNumber } from "../../lib/format.ts";
import { balanceOf, totalOf, initialsOf } from "../../lib/text.ts";
import { sellerCopy as copy } from "./home-messages.fr.ts";

/** The words of home's header. `letters`: the initials on the avatar; empty when there is a picture. */
export type GreetingWords = Readonly<Record<"hello" | "name" | "letters", string>>;
export type BalanceWords = Readonly<Record<"plan" | "available" | "note", string>>;

export function greetingWords(user: UserOnWire | undefined): GreetingWords {
  const first = user?.nom.split(" ")[0];
  return {
    hello: first ? copy.hello(first) : copy.helloNobody,
    name: user?.nom ?? copy.helloNobody,
    letters: user?.photo_url ? "" : initialsOf(user?.nom ?? "?"),
  };
}

/** What can be spent (A §6), and the whole when they differ: of both plans, whichever is his now. */
export function balanceWords(user: UserOnWire): BalanceWords {
  const premium = user.type_plan === "payant";
  const posted = totalOf(user);
  const available = balanceOf(user.soldeDisponible);
  return {
    plan: premium ? copy.planPremium : copy.planFree,
    available: formatNumber(available),
    note:
      posted === available
        ? copy.balanceNote
        : copy.balanceTotal(formatFcfa(posted), formatFcfa(posted - available)),
  };
}

/** Whether there is a line to draw of the last days. */
export function earnedLately(user: UserOnWire): boolean {
  return user.revenus_semaine?.some((net) => net > 0) ?? false;
}
