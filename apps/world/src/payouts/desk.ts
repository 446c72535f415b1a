import { NotPossible } from "../telegram/api-error.ts";
import type { NoticeMode, NoticeView, PayoutFault, PayoutFaultKind, PayoutView } from "../wire.ts";
import { noticeView } from "../notices/notice.ts";
import type { NoticeSender } from "../notices/sender.ts";
import { methodsOf, networkOfMethod } from "./methods.ts";
import { NETWORKS } from "../mobile-money/networks.ts";
import type { Payout } from "./state.ts";
import { payoutView, type PayoutTill } from "./till.ts";

/** A provider's payouts as tests and the control panel hold them. */
export type PayoutDesk = {
  list(): PayoutView[];
  /** The last so many, oldest first. */
  latest(count: number): PayoutView[];
  find(idOrHandleOrReference: string): PayoutView | undefined;
  /** Ends a payout for ever, whatever was to become of it; the provider tells it. */
  settle(idOrHandleOrReference: string, outcome: "success" | "failed", why?: string): PayoutView;
  fault(kind: PayoutFaultKind, how?: Partial<Omit<PayoutFault, "kind">>): void;
  faults(): PayoutFault[];
  clearFaults(): void;
  /** Francs left, by account: `main`, or FedaPay's modes. */
  floats(): Record<string, number>;
  setFloat(amount: number, account?: string): void;
  /** A payout nobody asked for. */
  plant(given: PlantedPayout): PayoutView;
  /** The provider no longer knows it. */
  forget(idOrHandleOrReference: string): void;
  /** Writes something else in the provider's book. */
  alter(idOrHandleOrReference: string, change: AlteredPayout): PayoutView;
  readonly noticeMode: NoticeMode;
  noticeViews(): NoticeView[];
  repeatNotice(id: number): NoticeView | null;
  releaseNotices(): number;
};

export type PlantedPayout = {
  amount: number;
  /** Their code, or one of the fifteen methods; the first they serve when absent. */
  method?: string;
  phone?: string;
  reference?: string;
  /** `success` when absent. */
  status?: PayoutView["status"];
};

export type AlteredPayout = Partial<Pick<Payout, "amount" | "cost" | "reference" | "status">>;

/** `newPayout` makes one as this provider keeps it. */
export type DeskParts = {
  till: PayoutTill;
  sender: Omit<NoticeSender, "announce">;
  newPayout(given: NewPayout): Payout;
};

export type NewPayout = Pick<Payout, "amount" | "method" | "phone"> &
  Partial<
    Pick<Payout, "reference" | "description" | "customer" | "metadata" | "callbackUrl" | "handle">
  >;

export function payoutDesk({ till, sender, newPayout }: DeskParts): PayoutDesk {
  const known = (name: string): Payout => {
    const payout = till.find(name);
    if (payout === undefined) throw new NotPossible(`no payout ${name} at ${till.name}`);
    return payout;
  };
  const view = (payout: Payout) => payoutView(till.name, payout);
  const { book } = till;
  return {
    list: () => [...book.payouts.values()].map(view),
    latest: (count) => [...book.payouts.values()].slice(-count).map(view),
    find(name) {
      const payout = till.find(name);
      return payout === undefined ? undefined : view(payout);
    },
    settle(name, outcome, why) {
      const payout = known(name);
      till.end(payout, outcome, why ?? null);
      return view(payout);
    },
    fault: (kind, how) => till.faults.add(kind, how),
    faults: () => till.faults.rules,
    clearFaults: () => till.faults.clear(),
    floats: () => Object.fromEntries(till.floats().map((one) => [one.account, one.amount])),
    setFloat: (amount, account) => till.setFloat(account ?? firstAccount(till), amount),
    plant: (given) => view(planted(till, given, newPayout)),
    forget(name) {
      const payout = known(name);
      payout.course = null;
      book.payouts.delete(payout.id);
      till.changed();
    },
    alter(name, change) {
      const payout = Object.assign(known(name), change);
      till.changed();
      return view(payout);
    },
    noticeMode: sender.mode,
    noticeViews: () => book.notices.map(noticeView),
    repeatNotice(id) {
      const notice = sender.repeat(id);
      return notice === null ? null : noticeView(notice);
    },
    releaseNotices: () => sender.release(),
  };
}

function firstAccount(till: PayoutTill): string {
  return till.floats()[0]?.account ?? "main";
}

function planted(
  till: PayoutTill,
  given: PlantedPayout,
  newPayout: DeskParts["newPayout"],
): Payout {
  const { amount, method: asked, status = "success" } = given;
  const served = NETWORKS.filter((network) => methodsOf(till.name, network).length > 0);
  const named = served.find((network) => network.id === asked) ?? served[0];
  const codes = named === undefined ? [] : methodsOf(till.name, named);
  const method = asked === undefined || named?.id === asked ? (codes[0] ?? "") : asked;
  const network = networkOfMethod(till.name, method);
  const phone = given.phone ?? `+${network.dial}${"0".repeat(network.digits)}`;
  const nowMs = till.clock.now().getTime();
  const reference = given.reference ?? null;
  const payout = newPayout({ amount, method, phone, reference });
  Object.assign(payout, {
    status,
    planted: true,
    startedAtMs: status === "created" ? null : nowMs,
    sentAtMs: status === "success" ? nowMs : null,
  });
  till.record(payout);
  return payout;
}
