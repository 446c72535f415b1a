import { type Network, NETWORKS } from "../mobile-money/networks.ts";
import { NotPossible } from "../telegram/state.ts";
import type {
  PayoutFault,
  PayoutProviderName,
  PayoutRule,
  PayoutStatus,
  PayoutView,
} from "../wire.ts";
import { payoutFaults } from "./faults.ts";
import type { ProviderDeps } from "./provider.ts";
import type { EmulatedWebhooks } from "./webhooks.ts";

/** A payout in a provider's records. */
export type Payout = ReturnType<typeof blankPayout> & {
  /** The provider's own. */
  id: string;
  amount: number;
  /** The provider's code. */
  method: string;
  /** E.164. */
  phone: string;
};

const blankPayout = (provider: PayoutProviderName, now: string) => ({
  provider,
  /** The token of PayDunya's first step. */
  handle: null as string | null,
  /** Our reference, as the app gave it. */
  reference: null as string | null,
  /** The provider's fee, on top of the amount. */
  cost: 0,
  /** The float it is drawn from. */
  account: "main",
  description: "",
  customer: null as { firstName: string; lastName: string; email: string } | null,
  metadata: {} as Record<string, string>,
  callbackUrl: null as string | null,
  status: "created" as PayoutStatus,
  failure: null as string | null,
  operatorReference: null as string | null,
  createdAt: now,
  startedAt: null as string | null,
  /** When the money reached the phone, and only then. */
  sentAt: null as string | null,
  updatedAt: now,
  /** The end it will reach by itself; null: it has ended, or will stay pending. */
  course: null as Course | null,
  /** Nobody asked for it. */
  planted: false,
});

type Course = { outcome: "success" | "failed"; why: string | null; atMs: number };

/** Payouts and floats of one provider, stored in the emulators' file. */
export type PayoutBook = {
  payouts: Map<string, Payout>;
  /** Francs left to send, by account; an account that is absent has its first float. */
  floats: Map<string, number>;
};

type AlteredPayout = Partial<Pick<Payout, "amount" | "cost" | "reference" | "status">>;

export type PlantedPayout = { amount: number; reference?: string; status?: "pending" | "success" };

export type NewPayout = Pick<Payout, "amount" | "method" | "phone"> & Partial<Payout>;

/** The payouts of one provider: records, floats and time. */
export type Payouts = ReturnType<typeof startPayouts>;

/** A provider's payouts, for tests and the control panel. */
export type EmulatedPayouts = Omit<Payouts, "rules" | "all" | "open" | "accept">;

export type PayoutSpec = {
  name: PayoutProviderName;
  book: PayoutBook;
  webhooks: EmulatedWebhooks;
  /** Accounts of its floats, and the first amount of each. */
  accounts: readonly string[];
  firstFloat: number;
  /** The fields of a new payout that the provider chooses. */
  fresh(given: NewPayout): Pick<Payout, "id"> & Partial<Payout>;
  /** Sends the webhook of a step, where the provider has one. */
  announce(payout: Payout, event: "created" | "initiated" | "success" | "failed"): void;
};

const PENDING_AFTER_MS = 1_000;
const ENDS_AFTER_MS = 4_000;
const LATE_MS = 6 * 3_600_000;
/** The sender in the operators' messages. */
const MERCHANT = "Sésame";
const FAILED_BY_OPERATOR = "Recipient account not found or not allowed to receive.";

const COURSES: Partial<Record<PayoutFault, Omit<Course, "atMs"> & { afterMs: number }>> = {
  "late-success": { outcome: "success", why: null, afterMs: LATE_MS },
  "late-failure": { outcome: "failed", why: FAILED_BY_OPERATOR, afterMs: LATE_MS },
};

export function startPayouts(deps: ProviderDeps, spec: PayoutSpec) {
  const { clock, scheduler, mobileMoney, changed } = deps;
  const { name: provider, book, accounts } = spec;
  const rules = payoutFaults(deps);
  const iso = () => clock.now().toISOString();
  const all = () => [...book.payouts.values()];
  const floatOf = (account: string) => book.floats.get(account) ?? spec.firstFloat;

  const find = (name: string) =>
    book.payouts.get(name) ?? all().find((one) => one.handle === name || one.reference === name);
  const known = (name: string): Payout => {
    const payout = find(name);
    if (payout === undefined) throw new NotPossible(`no payout ${name} at ${provider}`);
    return payout;
  };
  const view = (payout: Payout): PayoutView => ({ ...payout });

  const end = (payout: Payout, { outcome, why }: Omit<Course, "atMs">) => {
    if (payout.status === "success" || payout.status === "failed") {
      throw new NotPossible("this payout has ended");
    }
    const drawn = payout.status !== "created";
    const left = floatOf(payout.account);
    const total = payout.amount + payout.cost;
    Object.assign(payout, { course: null, status: outcome, updatedAt: iso() });
    if (outcome === "success") {
      payout.startedAt ??= iso();
      payout.sentAt = iso();
      payout.operatorReference = mobileMoney.receive({
        phone: payout.phone,
        network: networkOfMethod(provider, payout.method).id,
        amount: payout.amount,
        from: { name: MERCHANT, phone: null },
      });
      if (!drawn) book.floats.set(payout.account, left - total);
    } else {
      payout.failure = why ?? FAILED_BY_OPERATOR;
      if (drawn) book.floats.set(payout.account, left + total);
    }
    spec.announce(payout, outcome);
    changed();
  };

  /** Schedules the next steps of a payout. */
  const follow = (payout: Payout) => {
    const { course } = payout;
    if (payout.status === "queued" && payout.startedAt !== null) {
      scheduler.at(Date.parse(payout.startedAt) + PENDING_AFTER_MS, () => {
        if (payout.status !== "queued") return;
        Object.assign(payout, { status: "pending", updatedAt: iso() });
        changed();
      });
    }
    if (course === null) return;
    scheduler.at(course.atMs, () => {
      if (payout.course === course) end(payout, course);
    });
  };
  for (const payout of all()) follow(payout);

  const open = (given: NewPayout): Payout => {
    const payout: Payout = {
      ...blankPayout(provider, iso()),
      ...given,
      ...spec.fresh(given),
    };
    book.payouts.set(payout.id, payout);
    changed();
    return payout;
  };

  return {
    rules,
    all,
    open,
    /**
     * Accepts a payout: draws on the float and sets its course. False when the float is too small;
     * then nothing changes. A payout that was accepted before stays as it is.
     */
    accept(payout: Payout, fault: PayoutRule | null): boolean {
      if (payout.status !== "created") return true;
      const left = floatOf(payout.account) - payout.amount - payout.cost;
      if (left < 0) return false;
      book.floats.set(payout.account, left);
      if (fault?.kind !== "stay-pending") {
        const usual = { outcome: "success", why: null, afterMs: ENDS_AFTER_MS } as const;
        const { afterMs, ...course } = COURSES[fault?.kind ?? "down"] ?? usual;
        payout.course = { ...course, atMs: clock.now().getTime() + afterMs };
      }
      Object.assign(payout, { status: "queued", startedAt: iso(), updatedAt: iso() });
      follow(payout);
      spec.announce(payout, "initiated");
      changed();
      return true;
    },
    /** What is left to send. */
    balances: () => accounts.map((account) => ({ provider, account, amount: floatOf(account) })),
    list: () => all().map(view),
    /** By its id, its handle or our reference. */
    find(name: string) {
      const payout = find(name);
      return payout && view(payout);
    },
    /** Ends a payout for good, whatever its course was; the provider sends its webhook. */
    settle(name: string, outcome: Course["outcome"], why?: string) {
      const payout = known(name);
      end(payout, { outcome, why: why ?? null });
      return view(payout);
    },
    fault: (kind: PayoutFault, how?: Partial<Omit<PayoutRule, "kind">>) =>
      rules.add({ kind, ...how }),
    faults: () => rules.rules,
    clearFaults: () => rules.clear(),
    /** Francs left, by account: `main`, or FedaPay's modes. */
    floats: () => Object.fromEntries(accounts.map((account) => [account, floatOf(account)])),
    setFloat(amount: number, account = accounts[0] ?? "main") {
      if (!accounts.includes(account)) throw new NotPossible(`no account ${account}`);
      if (!Number.isInteger(amount) || amount < 0) throw new NotPossible("not an amount");
      book.floats.set(account, amount);
      changed();
    },
    /** Adds a payout that nobody asked for; by default a success, by the provider's first method. */
    plant({ amount, reference, status = "success" }: PlantedPayout) {
      const method = NETWORKS.flatMap((one) => methodsOf(provider, one))[0] ?? "";
      const { dial, digits } = networkOfMethod(provider, method);
      const phone = `+${dial}${"0".repeat(digits)}`;
      const payout = open({ amount, method, phone, reference: reference ?? null });
      const sentAt = status === "success" ? iso() : null;
      return view(Object.assign(payout, { status, planted: true, startedAt: iso(), sentAt }));
    },
    /** Deletes it from the provider's records. */
    forget(name: string) {
      const payout = known(name);
      payout.course = null;
      book.payouts.delete(payout.id);
      changed();
    },
    /** Changes the provider's record. */
    alter(name: string, change: AlteredPayout) {
      const payout = Object.assign(known(name), change);
      changed();
      return view(payout);
    },
    ...spec.webhooks,
  };
}

/** The payout as a faulty provider reports it: in the right form, with wrong values. */
export function asReported(payout: Payout, fault: PayoutRule | null): Payout {
  switch (fault?.kind) {
    case "wrong-amount":
      return { ...payout, amount: payout.amount - 1 };
    case "wrong-reference":
      return { ...payout, reference: `${payout.reference ?? ""}-other`, metadata: {} };
    default:
      return payout;
  }
}

/** The provider's word for a status, changed by the fault; undefined: the field is left out. */
export function reportedWord(word: string, fault: PayoutRule | null): string | undefined {
  if (fault?.kind === "no-word") return undefined;
  return fault?.kind === "unknown-word" ? "on_hold_for_review" : word;
}

/** The codes by which a provider names a network; the first is its own choice. */
export function methodsOf(provider: PayoutProviderName, network: Network): readonly string[] {
  if (provider === "paydunya") return [network.id];
  if (provider === "fedapay") return network.fedapay;
  return network.moneroo === null ? [] : [network.moneroo];
}

export function findNetwork(provider: PayoutProviderName, method: unknown): Network | undefined {
  return NETWORKS.find((network) => methodsOf(provider, network).some((code) => code === method));
}

export function networkOfMethod(provider: PayoutProviderName, method: string): Network {
  const network = findNetwork(provider, method);
  if (network === undefined) throw new NotPossible(`${provider} has no method ${method}`);
  return network;
}
