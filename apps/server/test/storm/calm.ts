import { HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { decide, mismatches, takeBackNow } from "./buy.ts";
import type { Draw } from "./draw.ts";
import { giveNumberOf, handleOne, refundAs, refunds } from "./give-back.ts";
import { LANES, TILLS, type Town } from "./town.ts";
import { laneDesk, payOne, rejectOne, requests, resolveOne, sayCameBack } from "./withdraw.ts";

/** Everybody answers again, time passes, and all that decides itself is decided. */
export async function calmDown(town: Town): Promise<void> {
  const { app } = town;
  for (const till of TILLS) app.emulators.collectors[till].clearFaults();
  for (const lane of LANES) laneDesk(town, lane).clearFaults();
  app.emulators.fedapay.enableWebhook();
  for (const lane of LANES) {
    const desk = laneDesk(town, lane);
    const open = desk.list().filter(({ status }) => status === "queued" || status === "pending");
    for (const { id } of open) desk.settle(id, "success");
  }
  for (let count = 0; count < 24; count++) {
    await app.drain();
    app.clock.advance(5 * HOUR_MS);
  }
  await app.drain();
}

/** People do what is left to them, until nothing is. → what they could not end */
export async function decideAll(town: Town, draw: Draw): Promise<string[]> {
  const said: string[] = [];
  for (let count = 0; count < 10; count++) {
    said.length = 0;
    await endMeasures(town);
    for (const { id } of await mismatches(town)) said.push(await decide(town, draw, id));
    said.push(...(await endRequests(town)), ...(await endRefunds(town)));
    await town.app.drain();
    if (said.length === 0) return [];
    town.app.clock.advance(30 * MINUTE_MS);
    await town.app.drain();
  }
  return said;
}

/** Whose account closed before all of it had come opens it again: an operator may. */
async function endMeasures(town: Town): Promise<void> {
  const [operator] = town.operators;
  for (const { id } of operator ? town.sellers : []) {
    for (const measure of ["unfreeze", "resume", "reopen"]) {
      const path = `/api/desk/sellers/${id}/${measure}`;
      if (operator) await town.call(operator, "POST", path, { reason: "Terminé" });
    }
  }
}

async function endRequests(town: Town): Promise<string[]> {
  const [agent] = town.agents;
  const [operator] = town.operators;
  if (!agent || !operator) return [];
  const said: string[] = [];
  const returned = await town.rows(sql<{ id: bigint }>`
    SELECT withdrawal_id AS id FROM payouts WHERE returned_at IS NOT NULL
  `);
  for (const id of town.cameBack.keys()) {
    if (returned.some((each) => String(each.id) === id)) continue;
    said.push(`${id} came back ${await sayCameBack(town, operator, BigInt(id))}`);
  }
  for (const one of await requests(town)) {
    const what = `withdrawal ${one.id} ${one.status} ${one.lane} ${one.payout}`;
    if (one.status === "pending") said.push(`${what} ${await rejectOne(town, agent, one)}`);
    else if (one.payout === "uncertain")
      said.push(`${what} ${await resolveOne(town, operator, one)}`);
    else if (one.payout === "ready" && one.lane === "manual")
      said.push(`${what} ${await payOne(town, agent, one)}`);
    else if (one.payout && !["succeeded", "failed"].includes(one.payout)) said.push(what);
  }
  return said;
}

async function endRefunds(town: Town): Promise<string[]> {
  const [agent] = town.agents;
  const [operator] = town.operators;
  if (!agent || !operator) return [];
  const said: string[] = [];
  for (const cash of town.cash.filter(({ taken }) => taken === "partly")) {
    await takeBackNow(town, cash, "whole");
  }
  const ids = town.cash.filter(({ taken }) => taken === "whole").map(({ paymentId }) => paymentId);
  const taken = await town.rows(sql<{ id: bigint }>`
    SELECT DISTINCT o.id FROM orders o JOIN payments p ON p.order_id = o.id
    WHERE o.status = 'paid' AND p.status = 'paid' AND p.suspended_amount IS NULL
      AND p.id = ANY(${ids.map(BigInt)}::bigint[]) AND o.kind <> 'trial'
  `);
  for (const { id } of taken)
    said.push(`order ${id} taken back ${await refundAs(town, operator, id)}`);
  for (const one of await refunds(town)) {
    const what = `refund ${one.id} ${one.lane} ${one.status}`;
    if (one.status === "needs-number") said.push(`${what} ${await giveNumberOf(town, one)}`);
    else if (one.status === "to-pay") said.push(`${what} ${await handleOne(town, agent, one)}`);
    else said.push(what);
  }
  return said;
}
