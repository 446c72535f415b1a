import { addMs, DAY_MS } from "@sesame/kernel";
import type {
  EmulatedPayouts,
  PayoutProviderName,
  PayoutView,
} from "../../../emulators/src/index.ts";
import { REQUEST } from "../funds.ts";
import {
  type Acts,
  BROKEN,
  chore,
  existing,
  often,
  PAYOUT_RAILS,
  possibly,
  repeatWebhook,
  say,
  type Someone,
  type StormState,
} from "./state.ts";

/** `rail`: a provider's. */
export const payoutsOf = ({ app }: StormState, rail: string | null): EmulatedPayouts =>
  app.emulators.payers[rail as PayoutProviderName];

/** Submitted there, and not ended. */
export const openAt = (payouts: EmulatedPayouts) =>
  payouts.list().filter(({ status }) => status === "queued" || status === "pending");

type Asked = Record<"id" | "seller_id" | "status", string> & { amount: number } & Record<
    "rail" | "payout" | "reference",
    string | null
  >;

/** Requests with their last payout. */
const requests = (which: (one: Asked) => boolean) => async (storm: StormState) => {
  const last = await storm.sql<Asked>`
    SELECT w.id::text, w.seller_id::text, w.status, w.amount::float8, p.rail, p.status AS payout,
      p.reference
    FROM withdrawals w
    LEFT JOIN payouts p ON p.id = (SELECT max(id) FROM payouts WHERE withdrawal_id = w.id)
    ORDER BY w.id DESC LIMIT 40
  `;
  return last.filter(which);
};

const pending = requests(({ status }) => status === "pending");
const byHand = (status: string) =>
  requests(({ rail, payout }) => rail === "manual" && payout === status);

/** `path`: the request's id and the action. */
const act = (storm: StormState, who: Someone, path: string, body = {}) =>
  storm.call(who, `/api/desk/withdrawals/${path}`, body);

const REFUSALS = ["refuse", "insufficient-float"] as const;
const DELAYS = ["late-success", "late-failure", "stay-pending"] as const;

/** What sellers, agents and operators do about withdrawals, and providers that send. */
export const WITHDRAWING: Acts = {
  "ask for a payout": often(8, (storm, draw) => {
    const montant = draw.pick([500, 1_000, 3_000, 8_000]);
    const numero = `07${String(10_000_000 + draw.upTo(80_000_000))}`;
    const body = { ...REQUEST, montant, numero_transfert: numero };
    return storm.said(draw.pick(storm.sellers), "/api/users/retrait/demande", body);
  }),
  automatic: often(2, (storm, draw) => {
    const number = { payment_method: "mtn-ci", transfer_number: "05 01 02 03 04" };
    const body = { retrait_auto: draw.upTo(2), ...number };
    return storm.said(draw.pick(storm.sellers), "/api/users/paiement/update", body, "PUT");
  }),
  cancel: often(1, async (storm, draw) => {
    const { id, seller_id: seller } = draw.pick(await pending(storm));
    const path = `/api/users/retrait/annuler/${id}`;
    return storm.said(storm.people.get(seller), path, undefined, "DELETE");
  }),
  approve: often(9, async (storm, draw) => {
    const { id } = draw.pick(await pending(storm));
    const agent = draw.pick(storm.agents);
    const rail = draw.pick(["manual", "manual", ...PAYOUT_RAILS]);
    await act(storm, agent, `${id}/assign`);
    return `${rail} ${say(await act(storm, agent, `${id}/approve`, { rail }))}`;
  }),
  reject: chore(1, pending, async (storm, draw, { id }) => {
    const agent = draw.pick(storm.agents);
    await act(storm, agent, `${id}/assign`);
    return say(await act(storm, agent, `${id}/reject`, { reason_code: "other", reason: "Non" }));
  }),
  /** An agent sends it, once, and reports it until the server answers. */
  "pay by hand": chore(4, byHand("ready"), async (storm, draw, { id, amount }) => {
    const agent = draw.pick(storm.agents);
    if (!storm.sent.has(id)) {
      const assigned = await act(storm, agent, `${id}/assign`);
      if (assigned.status !== 200) return say(assigned);
      if (storm.busy.has(`withdrawal:${id}`)) return "given up";
      // Another action of the same agent may have sent it meanwhile.
      if (!storm.sent.has(id)) storm.sent.set(id, { by: agent, amount, isBack: false });
    }
    const { by } = existing(storm.sent.get(id));
    return `sent ${say(await act(storm, by, `${id}/paid`, { reference: `MP.${id}` }))}`;
  }),
  /** Nobody has sent it, nor will. */
  "give up": often(1, async (storm, draw) => {
    const { id } = draw.pick(await byHand("ready")(storm));
    const agent = draw.pick(storm.agents);
    if (storm.sent.has(id)) return "nothing";
    const assigned = await act(storm, agent, `${id}/assign`);
    if (assigned.status !== 200 || storm.sent.has(id)) return say(assigned);
    storm.busy.add(`withdrawal:${id}`);
    const failed = act(storm, agent, `${id}/failed`, { reason: "Plafond atteint" });
    return say(await failed.finally(() => storm.busy.delete(`withdrawal:${id}`)));
  }),
  /** What was paid by hand comes back to the agent. */
  "come back by hand": often(1, async (storm, draw) => {
    const { id } = draw.pick(await byHand("succeeded")(storm));
    existing(storm.sent.get(id)).isBack = true;
    return id;
  }),
  "report what came back": chore(
    1,
    async (storm) => {
      const known = await storm.values<string>`
        SELECT withdrawal_id::text FROM payouts WHERE returned_at IS NOT NULL
      `;
      const back = [...storm.sent].filter(([id, { isBack }]) => isBack && !known.includes(id));
      return back.map(([id]) => id);
    },
    (storm, draw, id) => {
      const body = { outcome: "returned", reference: `RV.${id}`, reason: "Revenu" };
      return storm.asOperator(draw, `withdrawals/${id}/resolve`, body);
    },
  ),
  /** An operator reads the provider's pages, perhaps too early: a payout in transit is not refused. */
  resolve: chore(
    2,
    requests(({ payout }) => payout === "uncertain"),
    async (storm, draw, { id, rail, reference }) => {
      const theirs = payoutsOf(storm, rail)
        .list()
        .find((each) => each.reference === reference && each.startedAt !== null);
      const choice =
        theirs?.status === "success"
          ? { outcome: "link", provider_payout_id: theirs.id }
          : { outcome: "not-sent" };
      const body = { ...choice, reason: "Vu chez eux" };
      const answer = await storm.asOperator(draw, `withdrawals/${id}/resolve`, body);
      return `${choice.outcome} of ${theirs?.status ?? "none"} ${answer}`;
    },
  ),
  "trouble at a sender": often(3, async (storm, draw) => {
    const rail = draw.pick(PAYOUT_RAILS);
    const kind = draw.pick([...BROKEN, ...REFUSALS, ...DELAYS]);
    payoutsOf(storm, rail).fault(kind, { times: 1 + draw.upTo(3) });
    return `${rail} ${kind}`;
  }),
  /** A provider ends a submitted payout. */
  "end there": often(2, async (storm, draw) => {
    const rail = draw.pick(PAYOUT_RAILS);
    const payouts = payoutsOf(storm, rail);
    const outcome = draw.oneIn(3) ? "failed" : "success";
    const { id } = draw.pick(openAt(payouts));
    return possibly(() => `${rail} ${payouts.settle(id, outcome).status}`);
  }),
  /**
   * A payout of the last day comes back to the provider. Its webhook may repeat an earlier body,
   * which causes no lookup: the daily comparison finds it, if it includes the day of sending.
   */
  "reverse there": often(1, async (storm, draw) => {
    const rail = draw.pick(PAYOUT_RAILS);
    const payouts = payoutsOf(storm, rail);
    const settled = await storm.values<string | null>`
      SELECT reference FROM payouts WHERE rail = ${rail} AND status = 'succeeded'
        AND returned_at IS NULL AND settled_by IS NULL
    `;
    const since = addMs(storm.app.clock.now(), -DAY_MS).toISOString();
    const isRecent = ({ status, startedAt }: PayoutView) =>
      status === "success" && (startedAt ?? "") > since;
    const received = payouts.list().filter(isRecent);
    const one = draw.pick(received.filter(({ reference }) => settled.includes(reference)));
    payouts.alter(one.id, { status: "failed" });
    storm.reversed.add(`${rail}:${one.id}`);
    repeatWebhook(payouts, one.id);
    return `${rail} ${one.reference}`;
  }),
};
