import { balanceOf } from "@sesame/ledger";
import { sql } from "kysely";
import type { PayoutView } from "../../../emulators/src/wire.ts";
import { many } from "../../src/postgres/database.ts";
import { brokenBooks } from "../payouts.ts";
import type { PayoutTown, Provided } from "./payout-town.ts";

export type PayoutSeen = {
  readonly withdrawalId: bigint;
  readonly lane: Provided;
  readonly reference: string;
  readonly status: string;
  readonly failure: string | null;
  readonly submittedAt: Date | null;
};

export async function seenOf(town: PayoutTown, ids?: readonly bigint[]): Promise<PayoutSeen[]> {
  return many<PayoutSeen>(town.db)`
    SELECT withdrawal_id AS "withdrawalId", lane, reference, status, failure,
      submitted_at AS "submittedAt"
    FROM payouts WHERE ${ids ? [...ids] : null}::bigint[] IS NULL
      OR withdrawal_id = ANY(${ids ? [...ids] : null}::bigint[])
    ORDER BY id
  `;
}

/** Names that were heard and are still to be asked about. */
export async function hasRumours(town: PayoutTown): Promise<boolean> {
  const { rows } = await sql<{ some: boolean }>`
    SELECT EXISTS (SELECT FROM payout_rumours WHERE check_at IS NOT NULL) AS some
  `.execute(town.db);
  return rows[0]?.some ?? false;
}

export type PayoutDamage = {
  /** Two payments under one name, or one received of a payout whose francs went back. */
  readonly doubled: readonly string[];
  /** Taken by the provider and not known by us; or never sent by one that can be asked. */
  readonly lost: readonly string[];
  /** The books against themselves, and against what the providers say they sent. */
  readonly broken: readonly string[];
};

const LANES: readonly Provided[] = ["paydunya", "moneroo", "fedapay"];

export async function assessPayouts(town: PayoutTown): Promise<PayoutDamage> {
  const ours = await seenOf(town);
  const doubled: string[] = [];
  const lost: string[] = [];
  for (const payout of ours) {
    const { reference, status, lane, failure } = payout;
    const taken = takenAs(town, payout);
    const told = `${reference} by ${lane}: ${status}, ${taken.map((each) => each.status)}`;
    if (taken.length > 1) doubled.push(told);
    const received = taken.some((each) => each.status === "success");
    if (status === "failed" && received) doubled.push(told);
    if (status === "succeeded" && !received) lost.push(told);
    if (status !== "succeeded" && status !== "failed" && taken.length > 0) lost.push(told);
    // Moneroo cannot be asked what it never answered; the others can, and are told again.
    const isGivenUp = status === "uncertain" && lane === "moneroo";
    if (status !== "succeeded" && !isGivenUp && failure !== "float") lost.push(told);
  }
  return { doubled, lost, broken: await brokenTotals(town, ours) };
}

/** Begun there under this name: what moved or may move money. */
function takenAs(town: PayoutTown, { lane, reference }: PayoutSeen): PayoutView[] {
  return town
    .deskOf(lane)
    .list()
    .filter((each) => each.reference === reference && each.startedAt !== null);
}

async function brokenTotals(town: PayoutTown, ours: readonly PayoutSeen[]): Promise<string[]> {
  const broken = (await brokenBooks(town.db)).map((each) => JSON.stringify(each));
  for (const lane of LANES) {
    const sent = town
      .deskOf(lane)
      .list()
      .filter(({ status }) => status === "success")
      .reduce((total, { amount, cost }) => total + amount + cost, 0);
    const due = BigInt(sent);
    const booked = (await balanceOf(town.db, `provider:${lane}`))?.posted;
    if (booked !== due) broken.push(`provider:${lane} is ${booked}, they say ${due}`);
  }
  const open = ours.filter(({ status }) => status !== "succeeded" && status !== "failed").length;
  const transit = (await balanceOf(town.db, "payouts:in-transit"))?.posted;
  if (transit !== BigInt(open * 5_000)) broken.push(`in transit ${transit} of ${open} payouts`);
  return broken;
}
