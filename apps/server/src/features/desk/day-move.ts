import type { PurseOnWire, RegistryRefusal } from "@sesame/contract/desk";
import { readAmount } from "@sesame/contract/withdrawals";
import { assert, fcfa, ok, type Result, refuse } from "@sesame/kernel";
import { openAccounts, postBetween } from "@sesame/ledger";
import type { App } from "../../app.ts";
import { actorOf, audit } from "../../audit/audit.store.ts";
import type { Principal } from "../../http/principal.ts";
import type { Db } from "../../postgres/database.ts";
import { tellDesk } from "./alerts.ts";
import { answer } from "./day-close.ts";
import { purseKeys } from "./day.ts";
import { insertMove, lockPurses, type NewMove } from "./day.store.ts";
import { francsIn } from "./day.view.ts";
import { TREASURY } from "./messages.fr.ts";
import { dayOf } from "./day-zone.ts";

export type MoveRequest = {
  readonly caller: Principal;
  readonly body: {
    readonly account?: unknown;
    readonly direction?: unknown;
    readonly amount?: unknown;
    readonly other?: unknown;
    readonly reference?: unknown;
  };
};

const AMOUNT_MAX = 100_000_000n;
const REFERENCE_MIN = 3;
const REFERENCE_MAX = 120;

/** Money put into a purse, or taken out of it, by hand: from or to the treasury or another purse. */
export async function moveMoney(
  app: App,
  tx: Db,
  { caller, body }: MoveRequest,
): Promise<Result<PurseOnWire, RegistryRefusal>> {
  const now = app.clock.now();
  const read = await readMove(tx, body, caller);
  if (!read.ok) return read;
  const move = read.value;
  const { account, other, amount, reference } = move;
  await lockPurses(tx, [account, other]);
  const giver = amount > 0n ? other : account;
  const size = amount > 0n ? amount : -amount;
  if (giver !== TREASURY && (await francsIn(tx, giver)) < size) {
    return refuse({ kind: "desk.move-too-large" });
  }
  const id = await insertMove(tx, move, now);
  // Francs we have are minus the balance: what a purse gains leaves its account.
  const [from, to] = await openAccounts(tx, { keys: [account, other], guarded: false }, now);
  assert(from !== undefined && to !== undefined, "both accounts are open");
  await postBetween(tx, `move:float:${id}`, { from, to, amount: fcfa(amount), now });
  const day = dayOf(now, app.config.timeZone);
  await tellDesk(tx, "day", day);
  const deed = { action: "day.move", subject: `purse:${account}`, reason: reference };
  const after = { id, other, amount };
  await audit(tx, { ...deed, after, actor: actorOf(caller) }, now);
  return answer(app, tx, { key: account, day });
}

async function readMove(
  tx: Db,
  body: MoveRequest["body"],
  caller: Principal,
): Promise<Result<NewMove, RegistryRefusal>> {
  const keys = await purseKeys(tx);
  const account = keys.find((key) => key === body.account);
  if (account === undefined) return refuse({ kind: "desk.purse-unknown" });
  const { direction } = body;
  if (direction !== "in" && direction !== "out") return refuse({ kind: "desk.move-direction" });
  // What leaves is an operator's word: it could hide what a count would find missing.
  if (direction === "out" && !caller.isOperator) return refuse({ kind: "desk.operator-only" });
  const size = readAmount(body.amount);
  if (size === null || size > AMOUNT_MAX) return refuse({ kind: "desk.move-amount" });
  const other = [TREASURY, ...keys].find((key) => key === (body.other ?? TREASURY));
  if (other === undefined || other === account) return refuse({ kind: "desk.move-other" });
  const reference = typeof body.reference === "string" ? body.reference.trim() : "";
  if (reference.length < REFERENCE_MIN || reference.length > REFERENCE_MAX) {
    return refuse({ kind: "desk.move-reference" });
  }
  const amount = direction === "in" ? size : -size;
  return ok({ account, other, amount, reference, by: caller.personId });
}
