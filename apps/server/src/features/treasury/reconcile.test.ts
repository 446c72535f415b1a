import { DAY_MS, fcfa, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import type { FetchedPayout } from "@sesame/providers";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { sellMany } from "../../../test/bulk-sales.ts";
import { createPayoutApp, PAYOUT_RAILS, type ProviderRail } from "../../../test/payouts.ts";
import { askForTask } from "../../maintenance/maintenance.ts";
import { settleConfirmed } from "../checkout/settle.ts";
import { comparePayment, comparePayouts, matchPayouts, type OurPayout } from "./compare.ts";
import { listReconciliations } from "./reconcile.ts";

const ours = (change: Partial<OurPayout> = {}): OurPayout => ({
  id: 1n,
  reference: "wd-1-1",
  amount: fcfa(5_000),
  status: "succeeded",
  cost: fcfa(50),
  handle: "h",
  provider_payout_id: "55",
  late_at: null,
  returned_at: null,
  is_old: false,
  in_ledger: fcfa(5_050),
  ...change,
});
const theirs = (change: Partial<FetchedPayout> = {}): FetchedPayout => ({
  status: "succeeded",
  providerPayoutId: "55",
  word: "sent",
  operatorReference: null,
  failure: null,
  cost: fcfa(50),
  environment: "live",
  amount: fcfa(5_000),
  currency: "XOF",
  reference: "wd-1-1",
  ...change,
});

describe("a provider's report of a payout, compared with ours,", () => {
  const ledger = "ledger provider:fedapay";
  /** Ours of which no franc has left. */
  const unpaid = (status: OurPayout["status"]) => ours({ status, in_ledger: fcfa(0) });
  test.each<[string, OurPayout[], FetchedPayout[], string[]]>([
    ["nothing when all is well", [ours()], [theirs()], []],
    ["nothing when both failed", [unpaid("failed")], [theirs({ status: "failed" })], []],
    ["nothing while both wait", [unpaid("sent")], [theirs({ status: "sent" })], []],
    ["nothing when it was never submitted", [], [theirs({ status: "not-started" })], []],
    ["nothing when no answer came", [{ ...unpaid("uncertain"), provider_payout_id: null }], [], []],
    ["ours missing there", [ours()], [], ["missing-there payout:1", ledger]],
    ["theirs missing here", [], [theirs()], ["missing-here fedapay:55", ledger]],
    ["another amount", [ours()], [theirs({ amount: fcfa(4_000) })], ["amount payout:1", ledger]],
    ["an end taken back", [ours()], [theirs({ status: "failed" })], ["status payout:1", ledger]],
    [
      "francs given back and on their way",
      [unpaid("failed")],
      [theirs({ status: "sent" })],
      ["status payout:1"],
    ],
    ["another reference", [ours()], [theirs({ reference: "wd-9-1" })], ["reference payout:1"]],
    [
      "two under one name",
      [ours()],
      [theirs(), theirs({ providerPayoutId: "56" })],
      ["duplicate payout:1", ledger],
    ],
    ["another cost", [ours()], [theirs({ cost: fcfa(60) })], ["cost payout:1", ledger]],
    ["other francs in the ledger", [ours({ in_ledger: fcfa(5_000) })], [theirs()], [ledger]],
  ])("differs by %s", (_what, mine, their, found) => {
    const { differences } = comparePayouts("fedapay", matchPayouts(mine, their));
    expect(differences.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual(found);
  });
});

describe("a provider's report of a payment, compared with our ledger,", () => {
  const payment = {
    id: 3n,
    providerPaymentId: "17-2",
    reference: "17-2",
    amount: fcfa(5_000),
    received: null,
    quote: null,
    paidAs: null,
    reportedTransactionIds: ["AbC"],
    is_decided: false,
    is_counted: false,
    cost: fcfa(95),
    given_back: false,
    is_returned: false,
    differed: false,
  };
  const said = {
    providerPaymentId: "17-2",
    status: "paid",
    word: "SUCCESS",
    amount: fcfa(5_000),
    currency: "XOF",
    environment: "live",
    reference: "17-2",
  } as const;
  const returned = { given_back: true, is_returned: true };
  const decided = { is_decided: true, received: fcfa(4_624) };
  test.each<[string, object, object | null, string[]]>([
    ["is the same when all agree", {}, {}, []],
    ["is missing there when they have none", {}, null, ["missing-there"]],
    ["is matched by our reference", {}, { reference: "17" }, ["reference"]],
    ["differs by its amount", {}, { amount: fcfa(4_000) }, ["amount"]],
    ["has our cost", {}, { cost: fcfa(95) }, []],
    ["differs by its cost", {}, { cost: fcfa(90) }, ["cost"]],
    ["may have a cost that we do not know", { cost: null }, { cost: fcfa(90) }, []],
    ["differs by a refund that is not ours", {}, { status: "refunded" }, ["status"]],
    ["includes our refund", { given_back: true }, { status: "refunded" }, []],
    ["may not have our refund yet", { given_back: true }, {}, []],
    ["includes the return that our refund ended with", returned, { status: "refunded" }, []],
    ["differs by the lack of that return", returned, {}, ["status"]],
    [
      "of what we refund differs by a refusal",
      { given_back: true },
      { status: "refused" },
      ["status"],
    ],
    ["with a decision has the received amount", decided, { amount: fcfa(4_624) }, []],
    ["with a decision differs by any other amount, the ordered one too", decided, {}, ["amount"]],
    ["with an operator's count may have any amount", { ...decided, is_counted: true }, {}, []],
  ])("%s", (_what, mine, their, kinds) => {
    const found = comparePayment({ ...payment, ...mine }, their && { ...said, ...their });
    expect(found.map(({ kind }) => kind)).toEqual(kinds);
  });
});

describe("the daily reconciliation", () => {
  const setup = createPayoutApp().each();

  const METHOD = { method: "mtn-benin", phone: "+2290197000000" };
  const payoutsOf = (rail: ProviderRail) => setup.payoutsOf(rail);
  async function submitted(rail: ProviderRail, amount = 5_000, phone = METHOD.phone) {
    const id = await setup.ask(amount, { ...METHOD, phone });
    await setup.approve(id, rail);
    await setup.drive();
    return id;
  }
  async function paidBy(rail: ProviderRail, nth = 0): Promise<bigint> {
    // FedaPay pays one number three times a day at most.
    const id = await submitted(rail, 5_000, `+22901970000${10 + nth}`);
    await setup.advance(MINUTE_MS);
    expect(await setup.stateOf(id)).toMatchObject({ status: "succeeded" });
    return id;
  }
  async function reconcile(): Promise<string[]> {
    setup.clock.advance(HOUR_MS);
    await askForTask(setup.db, "payouts.reconcile", setup.clock.now());
    await setup.drive();
    const differences = await setup.values<string>`
      SELECT concat_ws(' ', provider, kind, subject) FROM reconciliation_differences
      WHERE gone_at IS NULL`;
    return differences.sort();
  }
  const stoppedOf = async (provider: string, what: string) =>
    (await listReconciliations(setup.db)).find(
      (run) => run.provider === provider && run.what === what,
    )?.stopped;

  test("finds nothing when all agree, and records how each was compared", async () => {
    for (const rail of PAYOUT_RAILS) await paidBy(rail);
    expect(await reconcile()).toEqual([]);
    const runs = await listReconciliations(setup.db);
    const said = runs.map((run) => [run.provider, run.what, run.by_list, run.compared]);
    expect(said).toEqual([
      ["cryptopay", "payments", false, 0],
      ["fedapay", "payments", false, 0],
      ["fedapay", "payouts", true, 1],
      ["kkiapay", "payments", false, 0],
      ["moneroo", "payments", false, 0],
      ["moneroo", "payouts", false, 1],
      ["paydunya", "payments", false, 0],
      ["paydunya", "payouts", false, 1],
      ["stars", "payments", false, 0],
    ]);
    expect(await setup.alerts()).toEqual([]);
  });

  test("finds each planted difference at a provider with a list, until it is corrected", async () => {
    const ids: bigint[] = [];
    for (let count = 0; count < 6; count++) ids.push(await paidBy("fedapay", count));
    const payouts = await Promise.all(ids.map((id) => setup.stateOf(id)));
    const [missing, amount, status, reference, twin, cost] = payouts;
    const fedapay = payoutsOf("fedapay");
    type Change = Parameters<typeof fedapay.alter>[1];
    const alter = (payout: (typeof payouts)[number] | undefined, change: Change) =>
      fedapay.alter(payout?.providerPayoutId ?? "", change);
    fedapay.forget(missing?.providerPayoutId ?? "");
    alter(amount, { amount: 4_000 });
    alter(status, { status: "failed" });
    alter(reference, { reference: "wd-999-9" });
    fedapay.plant({ amount: 5_000, reference: twin?.reference ?? "" });
    alter(cost, { cost: 999 });
    const stranger = fedapay.plant({ amount: 8_000, reference: "somebody-else" });
    const found = await reconcile();
    expect(found).toEqual(
      [
        `fedapay missing-there payout:${missing?.id}`,
        `fedapay amount payout:${amount?.id}`,
        `fedapay status payout:${status?.id}`,
        `fedapay reference payout:${reference?.id}`,
        `fedapay duplicate payout:${twin?.id}`,
        `fedapay cost payout:${cost?.id}`,
        `fedapay missing-here fedapay:${stranger.id}`,
        "fedapay ledger provider:fedapay",
      ].sort(),
    );
    expect(await setup.alerts()).toEqual(found.map(() => "reconciliation.difference"));
    alter(reference, { reference: reference?.reference ?? "" });
    // The provider still reports what it took back: that is settled.
    const ended = [reference, status].map((each) => ` payout:${each?.id}`);
    const left = found.filter((each) => !ended.some((end) => each.endsWith(end)));
    expect(await reconcile()).toEqual(left);
    const alerts = [...left.map(() => "reconciliation.difference"), "payout.returned"];
    expect((await setup.alerts()).toSorted()).toEqual(alerts.toSorted());
  });

  test.each(["paydunya", "moneroo"] as const)(
    "looks up each of ours at %s, which has no list",
    async (rail) => {
      const gone = await setup.stateOf(await paidBy(rail));
      const failed = await setup.stateOf(await paidBy(rail));
      payoutsOf(rail).forget(gone.reference);
      payoutsOf(rail).alter(failed.reference, { status: "failed" });
      expect(await reconcile()).toEqual(
        [
          `${rail} missing-there payout:${gone.id}`,
          `${rail} status payout:${failed.id}`,
          `${rail} ledger provider:${rail}`,
        ].sort(),
      );
    },
  );

  test("applies an end that no webhook reported, and books a success that came too late", async () => {
    const fedapay = payoutsOf("fedapay");
    fedapay.webhooks.drop = true;
    fedapay.fault("stay-pending");
    const open = await submitted("fedapay");
    const failed = await submitted("fedapay", 6_000);
    fedapay.settle(`wd-${failed}-1`, "failed");
    await setup.advance(MINUTE_MS);
    expect(await setup.stateOf(failed)).toMatchObject({ status: "failed" });
    fedapay.alter(`wd-${open}-1`, { status: "success" });
    fedapay.alter(`wd-${failed}-1`, { status: "success" });
    expect(await reconcile()).toEqual([]);
    expect(await setup.stateOf(open)).toMatchObject({ status: "succeeded" });
    expect(await setup.withdrawal(failed)).toMatchObject({ status: "rejected" });
    expect(await setup.alerts()).toContain("payout.late-success");
    expect(await setup.balance("payouts:suspense")).toBe(0n);
  });

  test("stopped by the provider keeps what was found, and records why it stopped", async () => {
    const id = await paidBy("fedapay");
    payoutsOf("fedapay").alter(`wd-${id}-1`, { amount: 4_000 });
    const found = await reconcile();
    expect(found).toHaveLength(2);
    payoutsOf("fedapay").fault("down", { call: "list" });
    expect(await reconcile()).toEqual(found);
    expect(await stoppedOf("fedapay", "payouts")).toContain("fedapay");
  });

  test.each(["fedapay", "moneroo"] as const)(
    "keeps an old difference at %s until it is corrected",
    async (rail) => {
      const { reference, id } = await setup.stateOf(await paidBy(rail));
      payoutsOf(rail).alter(reference, { amount: 4_000 });
      const found = [`${rail} amount payout:${id}`, `${rail} ledger provider:${rail}`];
      expect(await reconcile()).toEqual(found);
      await setup.advance(9 * DAY_MS);
      expect(await reconcile()).toEqual(found);
      expect(await setup.alerts()).toHaveLength(2);
      payoutsOf(rail).alter(reference, { amount: 5_000 });
      expect(await reconcile()).toEqual([]);
      expect(await setup.alerts()).toEqual([]);
    },
  );

  test.each(PAYOUT_RAILS)(
    "finds a payout that %s took back, and returns it to its seller",
    async (rail) => {
      const id = await paidBy(rail);
      const { reference, cost } = await setup.stateOf(id);
      payoutsOf(rail).alter(reference, { status: "failed" });
      expect(await reconcile()).toHaveLength(2);
      await setup.advance(10 * MINUTE_MS);
      expect(await setup.withdrawal(id)).toMatchObject({ status: "rejected", paid_at: null });
      expect(await setup.balance(`seller:${setup.seller.id}:premium`)).toBe(1_000_000n);
      expect(await setup.balance(`provider:${rail}`)).toBe(cost);
      expect(await reconcile()).toEqual([]);
      expect(await setup.alerts()).toEqual(["payout.returned"]);
    },
  );

  /** Inserted directly: the provider has none of them. */
  async function sell(orders: number): Promise<readonly bigint[]> {
    const { db, clock } = setup;
    const now = clock.now();
    const dueAt = new Date(now.getTime() + 1_000 * HOUR_MS);
    const { payments } = await sellMany(db, { sellers: 1, buyers: 2, orders, now, dueAt });
    const confirmed = payments.map((paymentId) => ({ paymentId, occurredAt: now }));
    await settleConfirmed(db, confirmed, now);
    await sql`DELETE FROM outbox`.execute(db);
    return payments;
  }
  const missing = (payments: readonly bigint[]) =>
    payments.map((id) => `moneroo missing-there payment:${id}`).sort();

  test("looks up settled payments, a hundred a day, all of them in turn", async () => {
    const payments = await sell(205);
    expect(await reconcile()).toEqual(missing(payments.slice(0, 100)));
    expect(await reconcile()).toEqual(missing(payments.slice(0, 200)));
    expect(await reconcile()).toEqual(missing(payments));
    await setup.advance(30 * DAY_MS);
    expect(await reconcile()).toEqual(missing(payments));
  });

  test("skips a payment that meets an outage, and ends at the third in a row", async () => {
    const payments = await sell(6);
    const { moneroo } = setup.app.emulators.collectors;
    moneroo.fault("fetch", "500", 2);
    expect(await reconcile()).toEqual(missing(payments.slice(2)));
    moneroo.fault("fetch", "down");
    expect(await reconcile()).toEqual(missing(payments.slice(2)));
    expect(await stoppedOf("moneroo", "payments")).toContain("moneroo");
    moneroo.clearFaults();
    expect(await reconcile()).toEqual(missing(payments));
  });
});
