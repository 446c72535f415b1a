import { PAYOUT_METHOD_IDS } from "@sesame/contract/withdrawals";
import { assert, DAY_MS, HOUR_MS } from "@sesame/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sellMany } from "../../../../test/bulk-sales.ts";
import { type SignedInBuyer, startTestApp } from "../../../../test/harness.ts";
import { inFrench } from "../../../../test/tables.ts";
import { createStaffFixtures, STAFF_ENV } from "../../../../test/withdrawals.ts";
import { checkChain } from "../../../audit/audit.store.ts";
import { checkLedger } from "../../../maintenance/maintenance.ts";
import { settleConfirmed } from "../../checkout/settle.ts";

let agent: SignedInBuyer;
let operator: SignedInBuyer;
let float: string;
/** A day of this test only, and the next one. */
let day: string;
let next: string;
let differences: bigint;

const app = await startTestApp({ env: STAFF_ENV });
const fixture = createStaffFixtures(app);
beforeEach(async () => {
  ({ day, next } = toNextDay());
  agent = await fixture.agent(0);
  operator = await fixture.operator(0);
  float = PAYING_FLOAT;
  differences = await app.balance("platform:cash-differences");
});
afterEach(async () => {
  // Whatever was counted, the ledger is valid and the audit chain whole.
  expect(await checkLedger(app.db)).toEqual([]);
  expect(await checkChain(app.db)).toEqual([]);
  expect(app.takeErrors()).toEqual([]);
});

/** Nine o'clock of the next day. → that day and the next one */
function toNextDay() {
  const now = app.clock.now().getTime();
  const midnight = Math.ceil(now / DAY_MS) * DAY_MS;
  app.clock.advance(midnight + 9 * HOUR_MS - now);
  return { day: dayOf(midnight), next: dayOf(midnight + DAY_MS) };
}

const dayOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);

/** Pays the requests of a fixture. */
const PAYING_FLOAT = "float:orange-money-ci";
/** Is never filled. */
const EMPTY_FLOAT = "float:mtn-ci";
const untouched = PAYOUT_METHOD_IDS.map((id) => `float:${id}`).filter(
  (account) => account !== PAYING_FLOAT && !account.includes("mtn"),
);

/** A float that was never filled. */
function takeFloat() {
  const taken = untouched.pop();
  assert(taken, "there are as many floats as tests that need one");
  return taken;
}

async function cashFloat(date: string, account = float) {
  const { floats } = await app.read("GET /api/desk/day", agent, { date });
  const found = floats.find((each) => each.account === account);
  assert(found, `the day has ${account}`);
  return found;
}

type Body = Record<string, unknown>;

type Caller = { readonly who?: SignedInBuyer | undefined; readonly key?: string };

type Act = "close" | "correct" | "moves";
const post = (act: Act, body: Body, { who = agent, key }: Caller = {}) =>
  app.send(`POST /api/desk/day/${act}`, who, body, key);
const topUp = (amount: number, rest: Body = {}, caller?: Caller) =>
  post(
    "moves",
    { account: float, direction: "in", amount, reference: "Recharge 1", ...rest },
    caller,
  );
const close = (counted: unknown, rest: Body = {}, caller?: Caller) =>
  post("close", { date: day, account: float, counted, ...rest }, caller);
const correct = (counted: number, rest: Body = {}) =>
  post("correct", { date: day, account: float, counted, ...rest });
/** To the bank. */
const take = (amount: number, who?: SignedInBuyer) => topUp(amount, { direction: "out" }, { who });

test("a float that is filled in the ledger and pays more than it has is an alert, until there is enough again", async () => {
  const account = takeFloat();
  const method = account.slice("float:".length);
  const takeSnapshot = () => app.app.loops.find(({ name }) => name === "ledger.snapshot")?.drain();
  const shown = async () => {
    app.clock.advance(60_000);
    await takeSnapshot();
    return (await app.read("GET /api/desk/alerts", operator)).alerts
      .filter(({ kind }) => kind === "float.overdrawn")
      .map(({ facts }) => facts.map(({ value }) => value));
  };
  const pay = async (amount: number, reference: string) => {
    const { id } = await fixture.request({ amount, method, phone: "+22670112233" });
    await fixture.payByHand(agent, id, reference);
  };
  await pay(3_000, "FLOOR.1");
  expect(await shown()).toEqual([]);
  await topUp(10_000, { account });
  await pay(6_000, "FLOOR.2");
  expect(await shown()).toEqual([]);
  await pay(3_000, "FLOOR.3");
  expect(await shown()).toEqual([[expect.stringMatching(/^-2.000 FCFA$/), "Moov Burkina Faso"]]);
  await pay(1_000, "FLOOR.4");
  expect(await shown()).toEqual([[expect.stringMatching(/^-3.000 FCFA$/), "Moov Burkina Faso"]]);
  await topUp(3_000, { account });
  expect(await shown()).toEqual([]);
  await pay(3_000, "FLOOR.5");
  expect(await shown()).toHaveLength(1);
});

describe("a day of a float", () => {
  test("opens, receives money, pays by hand with references, and closes with the count", async () => {
    await topUp(100_000);
    const pay = async (amount: number, reference: string) => {
      const request = await fixture.request({ amount });
      await fixture.payByHand(agent, request.id, reference);
      return request;
    };
    const first = await pay(20_000, "CI2611.0001");
    await pay(5_000, "CI2611.0002");
    expect(await cashFloat(day)).toMatchObject({
      kind: "float",
      opening: 0,
      in: 100_000,
      out: 25_000,
      expected: 75_000,
      status: "open",
      may_close: { allowed: true },
      movements: [
        { kind: "top-up", amount: 100_000, reference: "Recharge 1", by: { id: agent.id } },
        {
          kind: "payout",
          amount: -20_000,
          reference: "CI2611.0001",
          withdrawal: { id: first.id, reference: first.reference_transaction },
        },
        { kind: "payout", amount: -5_000, reference: "CI2611.0002" },
      ],
    });
    const { status, body } = await close(75_000);
    expect(status).toBe(200);
    expect(body.cash_float).toMatchObject({
      status: "closed",
      closes: [{ expected: 75_000, counted: 75_000, difference: 0, closed_by: { id: agent.id } }],
      may_close: { allowed: false },
    });
    expect(await app.balance(float)).toBe(-75_000n);
    expect(await app.balance("platform:cash-differences")).toBe(differences);
  });

  test("with a planted difference requires an explanation, posts it and alerts the back office", async () => {
    float = takeFloat();
    await topUp(50_000);
    const missing = { status: 422, body: { code: "desk.explanation-missing" } };
    expect(await close(48_500)).toMatchObject(missing);
    const { body } = await close(48_500, { explanation: "Frais de dépôt" });
    expect(body.cash_float.closes).toMatchObject([
      { expected: 50_000, counted: 48_500, difference: -1_500, explanation: "Frais de dépôt" },
    ]);
    expect(await app.balance(float)).toBe(-48_500n);
    expect(await app.balance("platform:cash-differences")).toBe(differences - 1_500n);
    const rows = await app.sql`
      SELECT kind, subject, details FROM alerts WHERE created_at >= ${day}::timestamptz`;
    expect(rows).toMatchObject([
      { kind: "day.difference", subject: `${float}:${day}`, details: { difference: "-1500" } },
    ]);
    app.clock.advance(DAY_MS);
    const opened = { opening: 48_500, in: 0, out: 0, expected: 48_500 };
    expect(await cashFloat(next)).toMatchObject(opened);
  });

  test("is written once; another line corrects a mistake, and the next day opens with it", async () => {
    float = takeFloat();
    await topUp(50_000);
    await close(49_000, { explanation: "Erreur de lecture" });
    expect(await close(50_000)).toMatchObject({ status: 409, body: { code: "desk.day-closed" } });
    expect((await correct(50_000)).body.code).toBe("desk.explanation-missing");
    expect((await correct(49_000, { explanation: "x" })).body.code).toBe("desk.day-same-count");
    const { body } = await correct(50_000, { explanation: "Solde relu" });
    expect(body.cash_float.closes).toMatchObject([
      { counted: 49_000, difference: -1_000, corrects: null },
      { counted: 50_000, difference: 0, explanation: "Solde relu" },
    ]);
    expect(body.cash_float.closes[1]?.corrects).toBe(body.cash_float.closes[0]?.id);
    expect(await app.balance(float)).toBe(-50_000n);
    const change = app.sql`UPDATE day_closes SET counted = 1, difference = 1`;
    await expect(change).rejects.toMatchObject({ code: "SA001" });
    app.clock.advance(DAY_MS);
    expect((await cashFloat(next)).opening).toBe(50_000);
  });

  test("closed the next morning ends at midnight: later movements belong to the next day", async () => {
    float = takeFloat();
    await topUp(10_000);
    app.clock.advance(DAY_MS);
    await topUp(4_000, { reference: "Recharge 2" });
    expect(await cashFloat(day)).toMatchObject({ in: 10_000, expected: 10_000 });
    await close(9_000, { explanation: "Manque" });
    const opened = { opening: 9_000, opened_on: day, in: 4_000, expected: 13_000 };
    expect(await cashFloat(next)).toMatchObject(opened);
    expect(await app.balance(float)).toBe(-13_000n);
    expect((await close(13_000, { date: next })).status).toBe(200);
    const late = await correct(1, { explanation: "x" });
    expect(late).toMatchObject({ status: 409, body: { code: "desk.day-covered" } });
  });

  test("that was not counted is part of the next one that is", async () => {
    float = takeFloat();
    await topUp(10_000);
    app.clock.advance(DAY_MS);
    const { body } = await close(10_000, { date: next });
    expect(body.cash_float).toMatchObject({ opening: 10_000, in: 0, expected: 10_000 });
    expect(await close(10_000)).toMatchObject({ status: 409, body: { code: "desk.day-covered" } });
    expect(await cashFloat(day)).toMatchObject({ status: "covered", in: 10_000 });
  });

  test("is closed by one of many agents at once", async () => {
    float = takeFloat();
    await topUp(1_000);
    const agents = await fixture.agents(8);
    const answers = await Promise.all(agents.map((who) => close(1_000, {}, { who })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
    expect(await app.sql`SELECT FROM day_closes WHERE account = ${float}`).toHaveLength(1);
  });

  test("closed again with its key gets the same answer, once", async () => {
    float = takeFloat();
    await topUp(1_000);
    const closeWithKey = (counted: number) =>
      close(counted, { explanation: "Manque" }, { key: "k1" });
    const first = await closeWithKey(900);
    const again = { status: 200, body: { cash_float: first.body.cash_float } };
    expect(await closeWithKey(900)).toMatchObject(again);
    expect((await closeWithKey(800)).status).toBe(409);
    expect(await app.balance(float)).toBe(-900n);
  });

  test.each<[string, () => Body, number, string]>([
    ["a day of no calendar", () => ({ date: "2026-02-30" }), 422, "desk.day-invalid"],
    ["a day to come", () => ({ date: next }), 422, "desk.day-in-future"],
    ["no cash float of ours", () => ({ account: "platform:fees" }), 404, "desk.float-unknown"],
    ["half a franc", () => ({ counted: 0.5 }), 422, "desk.counted-invalid"],
    ["less than nothing", () => ({ counted: -1 }), 422, "desk.counted-invalid"],
    ["words", () => ({ counted: "beaucoup" }), 422, "desk.counted-invalid"],
    ["nothing", () => ({ counted: undefined }), 422, "desk.counted-invalid"],
    ["a whole book", () => ({ explanation: "x".repeat(501) }), 422, "desk.explanation-too-long"],
  ])("is not closed with %s", async (...[, wrong, status, code]) => {
    expect(await close(0, wrong())).toMatchObject({ status, body: { code } });
  });
});

test("the balance at a provider is minus its account: sales in, payouts out, and what was moved", async () => {
  float = takeFloat();
  const before = -Number(await app.balance("provider:moneroo"));
  const now = app.clock.now();
  const { payments } = await sellMany(app.db, { sellers: 1, buyers: 1, orders: 6, now });
  const confirmed = payments.map((paymentId) => ({ paymentId, occurredAt: now }));
  await settleConfirmed(app.db, confirmed, now);
  const sold = { kind: "provider", in: 30_000, out: 0, expected: before + 30_000 };
  expect(await cashFloat(day, "provider:moneroo")).toMatchObject(sold);
  await topUp(12_000, { other: "provider:moneroo" });
  expect(await cashFloat(day, "provider:moneroo")).toMatchObject({
    out: 12_000,
    expected: before + 18_000,
    movements: [{ kind: "withdrawal", amount: -12_000 }],
  });
  expect(await cashFloat(day)).toMatchObject({ expected: 12_000 });
});

describe("money moved by hand", () => {
  test("leaves a cash float only by an operator, and never more than it has", async () => {
    float = takeFloat();
    const treasury = await app.balance("treasury");
    await topUp(1_000);
    const barred = { status: 403, body: { code: "desk.operator-only" } };
    expect(await take(600)).toMatchObject(barred);
    expect((await take(600, operator)).status).toBe(200);
    expect((await take(600, operator)).body.code).toBe("desk.move-too-large");
    expect(await app.balance(float)).toBe(-400n);
    expect(await app.balance("treasury")).toBe(treasury + 400n);
  });

  test("twice with one key is moved once", async () => {
    float = takeFloat();
    await Promise.all([1, 2, 3].map(() => topUp(700, {}, { key: "m1" })));
    expect(await app.balance(float)).toBe(-700n);
  });

  test("at once from a cash float is never more than it has", async () => {
    float = takeFloat();
    await topUp(1_000);
    const answers = await Promise.all(Array.from({ length: 8 }, () => take(300, operator)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(await app.balance(float)).toBe(-100n);
  });

  test.each<[string, () => Body, string]>([
    ["nowhere", () => ({ direction: "up" }), "desk.move-direction"],
    ["nothing", () => ({ amount: 0 }), "desk.move-amount"],
    ["too much", () => ({ amount: 100_000_001 }), "desk.move-amount"],
    ["from itself", () => ({ other: float }), "desk.move-other"],
    ["from the fees", () => ({ other: "platform:fees" }), "desk.move-other"],
    ["without a word", () => ({ reference: " " }), "desk.move-reference"],
    ["from an empty cash float", () => ({ other: EMPTY_FLOAT }), "desk.move-too-large"],
  ])("is refused %s", async (_what, wrong, code) => {
    expect((await topUp(100, wrong())).body.code).toBe(code);
  });
});

test("the export of a day is a CSV of every cash float that moved, its formulas escaped", async () => {
  float = takeFloat();
  await topUp(1_000, { reference: '=HYPERLINK("http://x";"y")' });
  app.clock.advance(HOUR_MS);
  await close(900, { explanation: 'Manque ; "billet"\r\nperdu' });
  const headers = { authorization: `Bearer ${agent.token}` };
  const answer = await fetch(`${app.url}/api/desk/day/export?date=${day}`, { headers });
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(answer.headers.get("content-disposition")).toContain(`caisse-${day}.csv`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const text = new TextDecoder().decode(bytes);
  expect(text).toContain(`"'=HYPERLINK(""http://x"";""y"")"`);
  expect(text).toContain(`900;-100;"Manque ; ""billet""\r\nperdu"\r\n`);
  expect(text).toContain(`;Clôture;${inFrench(day)} 10:00:00;`);
  expect(text).not.toContain("MTN");
});
