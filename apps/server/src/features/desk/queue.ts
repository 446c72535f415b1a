import type { AnswerOf } from "@sesame/contract/routes";
import type {
  DeskLaneOnWire,
  listDeskWithdrawals,
  DeskWithdrawalOnWire,
  QueueView,
} from "@sesame/contract/desk";
import { CLAIM_MS, LANE_NAMES, REJECT_CODES, REJECT_REASONS } from "@sesame/contract/desk";
import { planFromWire } from "@sesame/contract/plans";
import { isOpenAt, PAYOUT_METHOD_IDS, PAYOUT_METHODS } from "@sesame/contract/withdrawals";
import { fcfaToJson, MINUTE_MS } from "@sesame/kernel";
import type { z } from "zod";
import type { App } from "../../app.ts";
import type { Principal } from "../../http/principal.ts";
import { lanesOf } from "../payouts/index.ts";
import { withdrawalInDetail } from "./queue-detail.ts";
import { viewPersonName } from "./queue-history.view.ts";
import { type Reading, withdrawalToWire } from "./queue-on-wire.ts";
import { sayHours, sayLaneRefusal } from "./messages.fr.ts";
import {
  countQueue,
  type DeskRow,
  findDeskRow,
  isWork,
  listQueue,
  type QueuePlace,
} from "./queue.view.ts";

/** Who reads or decides. */
export type DeskReader = Pick<Principal, "personId" | "isAgent" | "isOperator">;

async function readingOf(app: App, me: DeskReader): Promise<Reading> {
  const settings = await app.settings.current();
  return { me, settings, now: app.clock.now(), zone: app.config.timeZone };
}

/** What waits, and the words of the desk. */
export async function viewDesk(app: App, me: DeskReader) {
  const { settings, now, zone } = await readingOf(app, me);
  const [name, counts] = await Promise.all([
    viewPersonName(app.db, me.personId),
    countQueue(app.db, { personId: me.personId, now }),
  ]);
  const hours = settings.hours.payouts;
  return {
    now: now.toISOString(),
    me: { id: String(me.personId), name, agent: me.isAgent, operator: me.isOperator },
    hours: { open: isOpenAt(now, hours, zone), label: sayHours(hours) },
    counts,
    lanes: lanesToWire(app),
    methods: METHODS,
    reject_reasons: REJECT_CODES.map((code) => ({ code, ...REJECT_REASONS[code] })),
    second_agent_from: fcfaToJson(settings.secondAgentFrom),
    claim_minutes: CLAIM_MS / MINUTE_MS,
  };
}

function lanesToWire(app: App): DeskLaneOnWire[] {
  return lanesOf(app).map(({ lane, open }) => ({
    id: lane,
    label: LANE_NAMES[lane],
    open,
    reason: open ? null : sayLaneRefusal(lane, { kind: "closed" }),
  }));
}

/** Closed ones too: requests made before may still wait. */
const METHODS: AnswerOf<"GET /api/desk">["methods"] = PAYOUT_METHOD_IDS.map((id) => {
  const { label, country } = PAYOUT_METHODS[id];
  return { id, label, country };
});

export type QueueQuery = z.output<typeof listDeskWithdrawals.query>;

/** Null: the cursor is none of ours. */
export async function viewQueue(app: App, me: DeskReader, query: QueueQuery) {
  const reading = await readingOf(app, me);
  const after = query.cursor === undefined ? null : readPlace(query.cursor, query.status);
  if (after === undefined) return null;
  const rows = await listQueue(app.db, {
    view: query.status,
    method: query.method,
    country: query.country,
    plan: query.plan && planFromWire(query.plan),
    lane: query.lane,
    late: query.late !== undefined,
    claimedBy: query.mine === undefined ? undefined : me.personId,
    words: query.q === "" ? undefined : query.q,
    now: reading.now,
    limit: query.limit + 1,
    after,
  });
  const page = rows.slice(0, query.limit);
  const last = rows.length > query.limit ? page.at(-1) : undefined;
  return {
    now: reading.now.toISOString(),
    withdrawals: page.map((row): DeskWithdrawalOnWire => withdrawalToWire(row, reading)),
    next_cursor: last ? sayPlace(last, query.status) : null,
  };
}

function sayPlace(row: DeskRow, view: QueueView): string {
  if (!isWork(view)) return String(row.id);
  return [row.plan === "premium" ? 0 : 1, row.due_at.getTime(), row.id].join(".");
}

/** Undefined: not a place of this list. */
function readPlace(cursor: string, view: QueueView): QueuePlace | undefined {
  const [, rank, due, id] = /^(?:([01])\.(\d{1,15})\.)?(\d{1,18})$/.exec(cursor) ?? [];
  if (id === undefined || isWork(view) !== (rank !== undefined)) return undefined;
  if (rank === undefined) return { by: "number", id: BigInt(id) };
  return { by: "deadline", rank: Number(rank), dueAt: new Date(Number(due)), id: BigInt(id) };
}

/** Null: there is no such request. */
export async function viewWithdrawal(app: App, me: DeskReader, id: bigint) {
  const reading = await readingOf(app, me);
  const row = await findDeskRow(app.db, id);
  if (!row) return null;
  const withdrawal = await withdrawalInDetail(app, row, reading);
  return { now: reading.now.toISOString(), withdrawal };
}
