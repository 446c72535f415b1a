import { type Random, readableToken } from "@sesame/kernel";
import type { SavedEmulators } from "../emulator-state.ts";
import { type Telegram, NotPossible, personAsUser, userName } from "../telegram/state.ts";
import type { SmsView, WalletView } from "../wire.ts";
import { fullNumber, networkOf, NETWORKS } from "./networks.ts";

/** A reference as that operator's messages show it; `count` grows: no two are the same. */
function operatorReference(
  network: string,
  { at, random, count }: { at: Date; random: Random; count: number },
): string {
  const instant = at.toISOString();
  const day = instant.slice(2, 10).replaceAll("-", "");
  const minute = instant.slice(11, 16).replace(":", "");
  const letter = String.fromCharCode("A".charCodeAt(0) + (Math.floor(count / 100_000) % 26));
  const serial = `${letter}${String(count % 100_000).padStart(5, "0")}`;
  if (network.startsWith("orange")) return `PP${day}.${minute}.${serial}`;
  if (network.startsWith("wave")) return `T_${readableToken(4, random).toUpperCase()}${serial}`;
  if (network.startsWith("moov")) return `MM${day}${minute}${serial}`;
  if (network.startsWith("mtn")) return `MP${day}${minute}${serial}`;
  return `TX${day}${minute}${serial}`;
}

/**
 * The operators' records, stored in the emulators' file: who has which number, and all messages.
 */
export const emptyMobileMoney = () => ({
  /** By number, in E.164. */
  wallets: new Map<string, WalletView>(),
  /** The oldest are forgotten. */
  sms: [] as SmsView[],
  nextSmsId: 1,
  nextNumber: 1,
  nextReference: 11_190,
  /** People who have held the agent's phone and got money to pay sellers with. */
  agents: new Set<number>(),
});

type Received = Pick<SmsView, "phone" | "network" | "amount"> & { from: SmsView["other"] };

type Sending = { personId: number; network: string; phone: string; amount: number };

export type MobileMoney = ReturnType<typeof startMobileMoney>;

const KEPT_SMS = 500;
const FIRST_NETWORK = "orange-money-ci";
export const AGENT_FLOAT = 2_000_000;

export function startMobileMoney(saved: SavedEmulators, emulated: Telegram) {
  const { mobileMoney: state, phones, telegram } = saved;
  const { clock, random, changed } = emulated;
  const { wallets } = state;
  const openWallet = (phone: string, network: string): WalletView => {
    const wallet = wallets.get(phone) ?? { phone, personId: null, network, balance: 0 };
    wallets.set(phone, wallet);
    return wallet;
  };
  const firstPhones = new Map<number, string>();
  for (const { personId, phone } of wallets.values()) {
    if (personId !== null && !firstPhones.has(personId)) firstPhones.set(personId, phone);
  }
  /** Somebody may have added the next number to their own. */
  const freeNumber = (): string => {
    for (;;) {
      const phone = `+22507${String(state.nextNumber++).padStart(8, "0")}`;
      if ((wallets.get(phone)?.personId ?? null) === null) return phone;
    }
  };
  /** Each person's own number: Awa's is +2250700000001, and so on in the order of their coming. */
  const firstWallet = (personId: number): WalletView => {
    const known = wallets.get(firstPhones.get(personId) ?? "");
    if (known !== undefined) return known;
    const wallet = openWallet(freeNumber(), FIRST_NETWORK);
    wallet.personId = personId;
    firstPhones.set(personId, wallet.phone);
    return wallet;
  };
  let settled = 0;
  const settlePeople = () => {
    const { persons } = telegram;
    if (persons.size !== settled) for (const id of persons.keys()) firstWallet(id);
    settled = persons.size;
    // Who holds the agent's phone gets money to pay sellers by hand.
    const { agent } = phones;
    if (state.agents.has(agent)) return;
    state.agents.add(agent);
    firstWallet(agent).balance += AGENT_FLOAT;
  };
  const holderOf = (phone: string) => wallets.get(phone)?.personId ?? null;
  const nameOf = (phone: string): string | null => {
    const holder = telegram.persons.get(holderOf(phone) ?? 0);
    return holder ? userName(personAsUser(holder)) : null;
  };
  const newReference = (network: string) =>
    operatorReference(network, { at: clock.now(), random, count: state.nextReference++ });
  const notify = (made: Omit<SmsView, "id" | "sentAt" | "personId">) => {
    const sentAt = clock.now().toISOString();
    const sms = { ...made, id: state.nextSmsId++, personId: holderOf(made.phone), sentAt };
    state.sms.push(sms);
    if (state.sms.length > KEPT_SMS) state.sms.shift();
    changed();
    return sms;
  };
  const take = ({ phone, network, amount, from: other }: Received, reference: string) => {
    const wallet = openWallet(phone, network);
    wallet.balance += amount;
    const { balance } = wallet;
    notify({ phone, kind: "received", network, amount, other, reference, balance });
  };
  return {
    /** Everybody's, each person having one at least. */
    wallets() {
      settlePeople();
      return [...wallets.values()];
    },
    /** Messages to the holder of that number, oldest first; of all numbers when absent. */
    sms: (phone?: string) => state.sms.filter((one) => phone === undefined || one.phone === phone),
    /** Money reaches a phone. → the operator's reference */
    receive(money: Received) {
      settlePeople();
      const reference = newReference(money.network);
      take(money, reference);
      return reference;
    },
    /** → the operator's message to who sends */
    send({ personId, network, phone: given, amount }: Sending): SmsView {
      settlePeople();
      const phone = numberAt(network, given);
      const own = firstWallet(personId);
      requireAmount(amount);
      if (own.phone === phone) throw new NotPossible("one's own number");
      if (own.balance < amount) throw new NotPossible("not enough money");
      const reference = newReference(network);
      own.balance -= amount;
      const from = { name: nameOf(own.phone), phone: own.phone };
      take({ phone, network, amount, from }, reference);
      const { balance } = own;
      const other = { name: nameOf(phone), phone };
      return notify({ phone: own.phone, kind: "sent", network, amount, other, reference, balance });
    },
    addNumber({ personId, network, phone: given }: Omit<Sending, "amount">) {
      settlePeople();
      const phone = numberAt(network, given);
      const wallet = openWallet(phone, network);
      if (wallet.personId !== null && wallet.personId !== personId) {
        throw new NotPossible("somebody else's number");
      }
      Object.assign(wallet, { personId, network });
      // A number may have received money before it had a holder: the holder now reads of it.
      for (const sms of state.sms) if (sms.phone === phone) sms.personId = personId;
      changed();
      return wallet;
    },
    credit({ phone, amount }: { phone: string; amount: number }) {
      settlePeople();
      requireAmount(amount);
      const wallet = wallets.get(phone);
      if (wallet === undefined) throw new NotPossible(`no wallet ${phone}`);
      wallet.balance += amount;
      changed();
      return wallet;
    },
  };
}

function requireAmount(amount: number): void {
  if (!Number.isInteger(amount) || amount <= 0) throw new NotPossible("not an amount");
}

function numberAt(id: string, given: string): string {
  const network = networkOf(id);
  if (network === undefined) {
    throw new NotPossible(`no network ${id}: ${NETWORKS.map((each) => each.id).join(", ")}`);
  }
  const phone = fullNumber(network, given);
  if (phone === null) throw new NotPossible(`not a number of ${network.country}: ${given}`);
  return phone;
}
