import type { StarTransaction } from "grammy/types";
import type { Bot } from "../state.ts";
import { personAsUser, personById, type Town } from "../town.ts";
import type { StarMove } from "./state.ts";
import { toldCharge } from "./tell.ts";

/** Oldest first; a refund goes out under the name of its payment. */
export function transactionsOf(
  town: Town,
  bot: Bot,
  { offset, limit }: { offset: number; limit: number },
): StarTransaction[] {
  const own = movesOf(town, bot).slice(offset, offset + limit);
  return own.flatMap((move) => transactionOf(town, move) ?? []);
}

export function balanceOf(town: Town, bot: Bot): number {
  const { charges } = town.state.stars;
  return movesOf(town, bot).reduce((sum, { chargeId, kind }) => {
    const amount = charges.get(chargeId)?.amount ?? 0;
    return kind === "payment" ? sum + amount : sum - amount;
  }, 0);
}

function movesOf(town: Town, bot: Bot): StarMove[] {
  const { moves, charges } = town.state.stars;
  return moves.filter(({ chargeId }) => charges.get(chargeId)?.botId === bot.id);
}

function transactionOf(town: Town, { chargeId, kind, atMs }: StarMove): StarTransaction | null {
  const { charges, invoices } = town.state.stars;
  const charge = charges.get(chargeId);
  const invoice = charge && invoices.get(charge.slug);
  if (!charge || !invoice) return null;
  const { subscriptionPeriod } = invoice;
  const told = toldCharge(charge, invoice);
  const partner = {
    type: "user" as const,
    transaction_type: "invoice_payment" as const,
    user: personAsUser(personById(town, charge.personId)),
    invoice_payload: told.payload,
    ...(subscriptionPeriod === null ? {} : { subscription_period: subscriptionPeriod }),
  };
  return {
    id: chargeId,
    amount: told.amount,
    date: Math.floor(atMs / 1000),
    ...(kind === "payment" ? { source: partner } : { receiver: partner }),
  };
}
