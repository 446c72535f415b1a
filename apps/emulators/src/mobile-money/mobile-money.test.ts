import { beforeEach, describe, expect, test } from "vitest";
import { fullNumber, networkOf, NETWORKS } from "./networks.ts";
import { emulatorsEach } from "../testing/test-emulators.ts";
import { AGENT_FLOAT } from "./mobile-money.ts";

const { emulators } = emulatorsEach();
let agent: number;

beforeEach(() => {
  agent = emulators.state().phones.find(({ id }) => id === "agent")?.personId ?? 0;
});

const send = (amount: number, phone = "0700000001", network = "orange-money-ci") =>
  emulators.telegram.sendMoney({ personId: agent, network, phone, amount });
const walletOf = (personId: number) =>
  emulators.mobileMoney.wallets().find((wallet) => wallet.personId === personId);

describe("mobile money", () => {
  test("gives everybody a number, and the agent money to pay with", () => {
    const someone = emulators.telegram.createPerson({ firstName: "Yao" });
    const { wallets } = emulators.state();
    expect(wallets.map(({ phone }) => phone.slice(-2)).join(" ")).toBe("01 02 03 04 05 06");
    expect(wallets.map(({ balance }) => balance)).toEqual([0, 0, AGENT_FLOAT, 0, 0, 0]);
    expect(walletOf(someone.id)?.phone).toBe("+2250700000006");
  });

  test("is given once to each person who takes the agent's phone", () => {
    const someone = emulators.telegram.createPerson({ firstName: "Yao" });
    expect(walletOf(someone.id)?.balance).toBe(0);
    for (const personId of [someone.id, agent, someone.id]) {
      emulators.telegram.switchPerson({ phone: "agent", personId });
      expect(walletOf(personId)?.balance).toBe(AGENT_FLOAT);
    }
  });

  test("sent by hand is announced to both people, under one reference", () => {
    const sent = send(45_000, "07 00 00 00 01");
    expect(sent).toMatchObject({
      reference: expect.stringMatching(/^PP260302\.0800\.A\d{5}$/),
      other: { name: "Awa Koné", phone: "+2250700000001" },
      balance: AGENT_FLOAT - 45_000,
    });
    const [received, said] = emulators.mobileMoney.sms();
    expect(received).toMatchObject({
      kind: "received",
      personId: emulators.seller,
      reference: sent.reference,
      balance: 45_000,
      other: { name: "Fatou Diallo", phone: "+2250700000003" },
    });
    expect(said).toMatchObject({ kind: "sent", personId: agent, reference: sent.reference });
  });

  test("is never sent twice under one reference", () => {
    const references = Array.from({ length: 200 }, () => send(1).reference);
    expect(new Set(references).size).toBe(200);
  });

  test.each([
    [{ amount: 0 }, "not an amount"],
    [{ amount: 1.5 }, "not an amount"],
    [{ amount: AGENT_FLOAT + 1 }, "not enough money"],
    [{ phone: "070000001" }, "not a number"],
    [{ phone: "0700000003" }, "own number"],
    [{ network: "orange" }, "no network"],
  ])("refuses %o: %s", (change, why) => {
    const sent = { amount: 100, phone: "0700000001", network: "orange-money-ci", ...change };
    expect(() => send(sent.amount, sent.phone, sent.network)).toThrow(why);
    expect(walletOf(agent)?.balance).toBe(AGENT_FLOAT);
    expect(emulators.mobileMoney.sms()).toEqual([]);
  });

  test("to a number without a holder is shown to the person who takes that number", () => {
    send(500, "771234567", "wave-senegal");
    expect(emulators.mobileMoney.sms("+221771234567")[0]?.personId).toBe(null);
    const ofNetwork = { network: "wave-senegal", phone: "+221 77 123 45 67" };
    const number = { personId: emulators.seller, ...ofNetwork };
    expect(emulators.telegram.addNumber(number).balance).toBe(500);
    expect(emulators.mobileMoney.sms("+221771234567")[0]?.personId).toBe(emulators.seller);
    const other = { ...number, personId: emulators.buyer };
    expect(() => emulators.telegram.addNumber(other)).toThrow("somebody else's");
    expect(walletOf(emulators.seller)?.phone).toBe("+2250700000001");
  });

  test("can be added to a wallet by the panel", () => {
    const wallet = emulators.panel.creditWallet({ phone: "+2250700000002", amount: 250 });
    expect(wallet.balance).toBe(250);
    expect(() => emulators.panel.creditWallet({ phone: "+1", amount: 250 })).toThrow("no wallet");
  });
});

describe("a network", () => {
  test.each([
    ["orange-money-ci", "07 01 02 03 04", "+2250701020304"],
    ["orange-money-ci", "+225 07-01-02-03-04", "+2250701020304"],
    ["orange-money-ci", "002250701020304", "+2250701020304"],
    ["mtn-benin", "97000000", "+22997000000"],
    ["mtn-benin", "22990000000", "+22990000000"],
    ["moov-togo", "22890000000", "+22890000000"],
    ["moov-togo", "9000000", null],
    ["wave-senegal", "abc", null],
  ])("%s reads %s as %s", (id, given, expected) => {
    const network = networkOf(id);
    expect(network && fullNumber(network, given)).toBe(expected);
  });

  test("exists for all fifteen methods, and Burkina Faso is none of Moneroo's", () => {
    expect(new Set(NETWORKS.map(({ id }) => id)).size).toBe(15);
    const notMonerooS = NETWORKS.filter(({ moneroo }) => moneroo === null);
    expect(notMonerooS.map(({ iso }) => iso)).toEqual(["BF", "BF"]);
    const notFedapayS = NETWORKS.filter(({ fedapay }) => fedapay.length === 0);
    expect(notFedapayS.map(({ id }) => id)).toEqual(["expresso-senegal"]);
  });
});
