import { MINUTE_MS } from "@sesame/kernel";
import { expect, test } from "vitest";
import { randomOf, SEED } from "../../../../../tools/testing/seeded.ts";
import { createPayoutApp, type PayoutFixtures } from "../../../test/payouts.ts";
import {
  receive,
  ScriptedPayouts,
  type Sending,
  type SubmitFault,
} from "../../../test/scripted-payouts.ts";
import { many } from "../../postgres/database.ts";
import { rejectIn } from "../withdrawals/index.ts";
import { cancel } from "../withdrawals/withdrawals.ts";
import { failByHandIn, markPaidByHandIn, resolveIn } from "./decide.ts";

/** More with LONG. Each run has another seed, which is part of its title, on a new database. */
const RUNS = process.env["LONG"] === "1" ? 500 : 10;
const REQUESTS = 12;
const ROUNDS = 25;
const AT_ONCE = 8;

type Pick = <T>(items: readonly T[]) => T;
type Act = (id: bigint) => Promise<unknown>;

type Fixture = Awaited<ReturnType<typeof openFixture>>;

const house = createPayoutApp();

async function openFixture(seed: number) {
  const random = randomOf(seed);
  const pick: Pick = (items) => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  };
  const providers: ScriptedPayouts[] = [];
  let counted = 0;
  const payouts = await house.openSetup(({ clock }) => {
    const now = () => clock.now();
    providers.push(
      new ScriptedPayouts({ id: "paydunya", handles: true, now }),
      new ScriptedPayouts({ id: "moneroo", handles: false, now }),
      new ScriptedPayouts({ id: "fedapay", handles: true, lists: true, now }),
    );
    return providers;
  });
  return { payouts, providers, pick, count: () => ++counted };
}

/** What people, providers and time may do to a request, at any time and concurrently. */
function actsOf(fixture: Fixture): readonly Act[] {
  const { payouts, providers, pick, count } = fixture;
  const { db, clock } = payouts;
  const by = payouts.agent;
  const inTx = <T>(run: (tx: PayoutFixtures["db"]) => Promise<T>) => db.transaction().execute(run);
  const approve: Act = (id) =>
    payouts.approve(id, pick(["manual", "paydunya", "moneroo", "fedapay"]));
  const submitFaults: readonly SubmitFault[] = [
    "lost-after",
    "lost-before",
    { kind: "float" },
    { kind: "request", message: null },
    { kind: "busy", retryAfterMs: 30_000 },
  ];
  return [
    approve,
    approve,
    (id) => cancel(payouts.engine, { id, sellerId: BigInt(payouts.seller.id), call: null }),
    (id) => inTx((tx) => rejectIn(tx, { id, code: "other", reason: "Non", by }, clock.now())),
    (withdrawalId) => {
      const payment = { withdrawalId, reference: `CI${pick([count(), 1, 2])}`, by };
      return inTx((tx) => markPaidByHandIn(tx, { payment, now: clock.now() }));
    },
    (withdrawalId) => {
      const failed = { withdrawalId, reason: "Non", by };
      return inTx((tx) => failByHandIn(tx, { failed, now: clock.now() }));
    },
    (withdrawalId) => {
      const outcome = pick(["sent", "not-sent", "returned"] as const);
      const resolution = { withdrawalId, outcome, reference: `RV${count()}`, reason: "Vu", by };
      return inTx((tx) => resolveIn(tx, { resolution, now: clock.now() }));
    },
    async () => void pick(providers).faults.submit.push(pick(submitFaults)),
    async () => {
      const provider = pick(providers);
      provider.down = !provider.down;
    },
    async () => endSome(fixture),
    async () => endSome(fixture),
    () => receiveSome(fixture),
    async () => payouts.drive(),
    async () => payouts.advance(pick([1_000, 20_000, 3 * MINUTE_MS, 15 * MINUTE_MS])),
  ];
}

/** A provider ends a submitted payout; the end stays, or the money is taken back. */
function endSome({ providers, pick }: Fixture): void {
  const { sendings } = pick(providers);
  if (sendings.length === 0) return;
  const sending = pick(sendings);
  if (sending.status !== "failed") sending.status = pick(["succeeded", "failed"]);
}

async function receiveSome(fixture: Fixture): Promise<void> {
  const provider = fixture.pick(fixture.providers);
  if (provider.sendings.length > 0)
    await receiveOne(fixture, provider, fixture.pick(provider.sendings));
}

const receiveOne = ({ payouts, count }: Fixture, provider: ScriptedPayouts, { id }: Sending) =>
  receive(payouts, provider, { id, words: count() });

/** All providers answer and end every payout; then everything that can end has ended. */
async function comeToRest(fixture: Fixture): Promise<void> {
  const { payouts, providers } = fixture;
  for (const provider of providers) {
    Object.assign(provider, { down: false, ends: "succeeded" });
    provider.faults.submit.length = 0;
    for (const sending of provider.sendings) {
      if (sending.status === "sent") sending.status = "succeeded";
      await receiveOne(fixture, provider, sending);
    }
  }
  for (let look = 0; look < 12; look++) await payouts.advance(10 * MINUTE_MS);
}

/** `settled`: a person entered the end. */
type Ended = Record<"reference" | "status" | "rail", string> &
  Record<"late" | "returned" | "settled" | "submitted", boolean>;

const endsOf = ({ payouts }: Fixture) => many<Ended>(payouts.db)`
  SELECT reference, status, rail, late_at IS NOT NULL AS late,
    returned_at IS NOT NULL AS returned, settled_by IS NOT NULL AS settled, submitted_at IS NOT NULL AS submitted
  FROM payouts
  `;

test.each(Array.from({ length: RUNS }, (_, run) => SEED + run))(
  "whatever interleaves, nothing is sent twice, and the ledger is valid (SESAME_SEED=%i)",
  async (seed) => {
    const fixture = await openFixture(seed);
    const { payouts, providers, pick } = fixture;
    const ids: bigint[] = [];
    for (let count = 0; count < REQUESTS; count++) ids.push(await payouts.ask(1_000 + count));
    const acts = actsOf(fixture);
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => pick(acts)(pick(ids))));
      expect(await payouts.broken()).toEqual([]);
    }
    await comeToRest(fixture);
    expect(await payouts.broken()).toEqual([]);
    const sendings = providers.flatMap((provider) => provider.sendings);
    expect(new Set(sendings.map(({ reference }) => reference)).size).toBe(sendings.length);
    for (const ended of await endsOf(fixture)) {
      const { reference, status, rail, late, returned, settled, submitted } = ended;
      const theirs = sendings.find((each) => each.reference === reference)?.status;
      const seen = { reference, status, theirs };
      if (rail === "manual" && !submitted) expect(seen).toMatchObject({ theirs: undefined });
      if (status === "failed" && theirs === "succeeded" && rail !== "moneroo") {
        expect(late, JSON.stringify(seen)).toBe(true);
      }
      if (status === "succeeded" && theirs === "failed" && rail !== "manual" && !settled) {
        expect(returned, JSON.stringify(seen)).toBe(true);
      }
      if (status === "sent") expect(seen, "nothing rests on its way").toBeNull();
    }
    payouts.close();
  },
  120_000,
);
