import { DAY_MS } from "@sesame/kernel";
import { sql } from "kysely";
import type { EmulatedPayouts, PayoutFault } from "../../../emulators/src/index.ts";
import { REQUEST } from "../funds.ts";
import { possibly } from "./buy.ts";
import {
  type StormAction,
  type Draw,
  type PayoutRail,
  PAYOUT_RAILS,
  say,
  type Someone,
  type StormState,
} from "./state.ts";

export const payoutsOf = ({ app: { emulators } }: StormState, rail: PayoutRail): EmulatedPayouts =>
  rail === "moneroo" ? emulators.moneroo.payouts : emulators[rail];

export type Asked = Record<"id" | "seller_id" | "amount", bigint> & { status: string } & Record<
    "rail" | "payout" | "reference",
    string | null
  >;

/** Requests with their last payout. */
export const requests = (storm: StormState) =>
  storm.rows(sql<Asked>`
    SELECT w.id, w.seller_id, w.status, w.amount, p.rail, p.status AS payout, p.reference
    FROM withdrawals w
    LEFT JOIN payouts p ON p.id = (SELECT max(id) FROM payouts WHERE withdrawal_id = w.id)
    ORDER BY w.id DESC LIMIT 40
  `);

const pickRequest = async (storm: StormState, draw: Draw, which: (one: Asked) => boolean) => {
  const found = draw.pick((await requests(storm)).filter(which));
  return { found, agent: draw.pick(storm.agents) };
};

const isManual = ({ rail, payout }: Asked) => rail === "manual" && payout === "ready";

type Act = readonly [id: bigint, action: string, body?: object];

const act = (storm: StormState, who: Someone, ...[id, action, body = {}]: Act) =>
  storm.call(who, "POST", `/api/desk/withdrawals/${id}/${action}`, body);

export const ask: StormAction = async (storm, draw) => {
  const seller = draw.pick(storm.sellers);
  const montant = draw.pick([500, 1_000, 3_000, 8_000]);
  const numero = `07${String(10_000_000 + draw.upTo(80_000_000))}`;
  const body = { ...REQUEST, montant, numero_transfert: numero };
  return storm.said(seller, "POST", "/api/users/retrait/demande", body);
};

export const automatic: StormAction = (storm, draw) => {
  const seller = draw.pick(storm.sellers);
  const number = { payment_method: "mtn-ci", transfer_number: "05 01 02 03 04" };
  const body = { retrait_auto: draw.upTo(2), ...number };
  return storm.said(seller, "PUT", "/api/users/paiement/update", body);
};

export const cancel: StormAction = async (storm, draw) => {
  const { found } = await pickRequest(storm, draw, ({ status }) => status === "pending");
  const seller = storm.people.get(String(found?.seller_id));
  return storm.said(seller, "DELETE", `/api/users/retrait/annuler/${found?.id}`);
};

export const approve: StormAction = async (storm, draw) => {
  const { found, agent } = await pickRequest(storm, draw, ({ status }) => status === "pending");
  const rail = draw.pick(["manual", "manual", ...PAYOUT_RAILS]);
  if (!found || !agent) return "nothing";
  await act(storm, agent, found.id, "assign");
  return `${rail} ${say(await act(storm, agent, found.id, "approve", { rail }))}`;
};

export const reject: StormAction = async (storm, draw) => {
  const { found, agent } = await pickRequest(storm, draw, ({ status }) => status === "pending");
  return found && agent ? rejectOne(storm, agent, found) : "nothing";
};

export async function rejectOne(storm: StormState, agent: Someone, { id }: Asked): Promise<string> {
  await act(storm, agent, id, "assign");
  const body = { reason_code: "other", reason: "Non" };
  return say(await act(storm, agent, id, "reject", body));
}

/** An agent sends it, once, and reports it until the server answers. */
export const payByHand: StormAction = async (storm, draw) => {
  const { found, agent } = await pickRequest(storm, draw, isManual);
  return found && agent ? payOne(storm, agent, found) : "nothing";
};

export async function payOne(storm: StormState, agent: Someone, { id, amount }: Asked) {
  const key = String(id);
  if (!storm.sent.has(key)) {
    const assigned = await act(storm, agent, id, "assign");
    if (assigned.status !== 200) return say(assigned);
    if (storm.busy.has(`withdrawal:${key}`)) return "given up";
    // Another action of the same agent may have sent it meanwhile.
    if (!storm.sent.has(key)) {
      storm.sent.set(key, { by: agent, reference: `MP.${key}`, amount: Number(amount) });
    }
  }
  const { by, reference } = storm.sent.get(key) ?? { by: agent, reference: "" };
  return `sent ${say(await act(storm, by, id, "paid", { reference }))}`;
}

/** Given up: nobody has sent it, nor will. */
export const fail: StormAction = async (storm, draw) => {
  const { found, agent } = await pickRequest(storm, draw, isManual);
  if (!found || !agent || storm.sent.has(String(found.id))) return "nothing";
  const assigned = await act(storm, agent, found.id, "assign");
  if (assigned.status !== 200 || storm.sent.has(String(found.id))) return say(assigned);
  storm.busy.add(`withdrawal:${found.id}`);
  const failed = act(storm, agent, found.id, "failed", { reason: "Plafond atteint" });
  return say(await failed.finally(() => storm.busy.delete(`withdrawal:${found.id}`)));
};

/** What was paid by hand comes back to the agent. */
export const comeBack: StormAction = async (storm, draw) => {
  const { found } = await pickRequest(
    storm,
    draw,
    ({ rail, payout }) => rail === "manual" && payout === "succeeded",
  );
  const operator = draw.pick(storm.operators);
  const sent = storm.sent.get(String(found?.id));
  if (!found || !operator || !sent) return "nothing";
  storm.cameBack.set(String(found.id), sent);
  return sayCameBack(storm, operator, found.id);
};

export async function sayCameBack(storm: StormState, operator: Someone, id: bigint) {
  const body = { outcome: "returned", reference: `RV.${id}`, reason: "Revenu" };
  return say(await act(storm, operator, id, "resolve", body));
}

/** An operator reads the provider's pages, perhaps too early: a payout in transit is not refused. */
export const resolve: StormAction = async (storm, draw) => {
  const { found } = await pickRequest(storm, draw, ({ payout }) => payout === "uncertain");
  const operator = draw.pick(storm.operators);
  return found && operator ? resolveOne(storm, operator, found) : "nothing";
};

export async function resolveOne(storm: StormState, operator: Someone, found: Asked) {
  const there = payoutsOf(storm, found.rail as PayoutRail).list();
  const theirs = there.find(
    ({ reference, startedAt }) => reference === found.reference && startedAt !== null,
  );
  const isSent = theirs?.status === "success";
  const outcome =
    isSent && theirs ? { outcome: "link", provider_payout_id: theirs.id } : { outcome: "not-sent" };
  const answer = await act(storm, operator, found.id, "resolve", {
    ...outcome,
    reason: "Vu chez eux",
  });
  return `${outcome.outcome} of ${theirs?.status ?? "none"} ${say(answer)}`;
}

const FAULTS: readonly PayoutFault[] = [
  "refuse",
  "insufficient-float",
  "timeout-before",
  "timeout-after",
  "500-after",
  "late-success",
  "late-failure",
  "stay-pending",
  "nonsense",
];

export const trouble: StormAction = async (storm, draw) => {
  const rail = draw.pick(PAYOUT_RAILS) ?? "moneroo";
  const kind = draw.pick(FAULTS) ?? "refuse";
  payoutsOf(storm, rail).fault(kind, { times: 1 + draw.upTo(3) });
  return `${rail} ${kind}`;
};

/** A provider ends a submitted payout. */
export const endThere: StormAction = async (storm, draw) => {
  const rail = draw.pick(PAYOUT_RAILS) ?? "moneroo";
  const payouts = payoutsOf(storm, rail);
  const open = payouts.list().filter(({ status }) => status === "queued" || status === "pending");
  const outcome = draw.oneIn(3) ? "failed" : "success";
  const one = draw.pick(open);
  return one ? possibly(() => `${rail} ${payouts.settle(one.id, outcome).status}`) : "nothing";
};

/**
 * A payout of the last day comes back to the provider. Its webhook may repeat an earlier body,
 * which causes no lookup: the daily comparison finds it, if it includes the day of sending.
 */
export const reverse: StormAction = async (storm, draw) => {
  const rail = draw.pick(PAYOUT_RAILS) ?? "moneroo";
  const payouts = payoutsOf(storm, rail);
  const settled = await storm.rows(sql<{ reference: string }>`
    SELECT reference FROM payouts WHERE rail = ${rail} AND status = 'succeeded'
      AND returned_at IS NULL AND settled_by IS NULL
  `);
  const known = new Set(settled.map(({ reference }) => reference));
  const since = new Date(storm.app.clock.now().getTime() - DAY_MS).toISOString();
  const received = payouts
    .list()
    .filter(({ status, startedAt }) => status === "success" && (startedAt ?? "") > since);
  const one = draw.pick(received.filter(({ reference }) => known.has(reference ?? "")));
  if (!one) return "nothing";
  payouts.alter(one.id, { status: "failed" });
  storm.reversed.add(`${rail}:${one.id}`);
  const webhook = payouts.webhookViews().findLast(({ paymentId }) => paymentId === one.id);
  if (webhook) payouts.repeatWebhook(webhook.id);
  return `${rail} ${one.reference}`;
};
