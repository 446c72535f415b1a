import type { Leg, NewTransfer, PostOutcome } from "../index.ts";

type Hold = { account: bigint; amount: bigint; ended: "paid" | "released" | null; by: string };
type Word = PostOutcome | "held" | "paid" | "released" | "done-before" | "unknown";

/** A plain model of the ledger: two maps and no database. */
export class Model {
  readonly posted = new Map<bigint, bigint>();
  readonly held = new Map<bigint, bigint>();
  readonly transfers = new Map<string, string>();
  readonly holds = new Map<string, Hold>();
  readonly guarded: ReadonlySet<bigint>;

  constructor(guarded: readonly bigint[]) {
    this.guarded = new Set(guarded);
  }

  available(account: bigint): bigint {
    return (this.posted.get(account) ?? 0n) - (this.held.get(account) ?? 0n);
  }

  post(transfer: NewTransfer): PostOutcome {
    const before = this.transfers.get(transfer.id);
    if (before !== undefined) return before === content(transfer.legs) ? "duplicate" : "conflict";
    const deltas = new Map<bigint, bigint>();
    for (const leg of transfer.legs) add(deltas, leg.account, leg.amount);
    for (const [account, delta] of deltas) {
      const short = delta < 0n && this.available(account) + delta < 0n;
      if (this.guarded.has(account) && short) return "insufficient";
    }
    for (const [account, delta] of deltas) add(this.posted, account, delta);
    this.transfers.set(transfer.id, content(transfer.legs));
    return "posted";
  }

  hold(id: string, account: bigint, amount: bigint): Word {
    const before = this.holds.get(id);
    if (before !== undefined) {
      const same = before.account === account && before.amount === amount;
      return same ? "done-before" : "conflict";
    }
    if (this.available(account) < amount) return "insufficient";
    this.holds.set(id, { account, amount, ended: null, by: "" });
    add(this.held, account, amount);
    return "held";
  }

  pay(id: string, transfer: NewTransfer): Word {
    const hold = this.holds.get(id);
    if (hold === undefined) return "unknown";
    if (hold.ended === "released") return "released";
    const before = this.transfers.get(transfer.id);
    if (before !== undefined || hold.ended === "paid") {
      const same = hold.by === transfer.id && before === content(transfer.legs);
      return same ? "done-before" : "conflict";
    }
    add(this.held, hold.account, -hold.amount);
    this.post(transfer);
    hold.ended = "paid";
    hold.by = transfer.id;
    return "paid";
  }

  release(id: string): Word {
    const hold = this.holds.get(id);
    if (hold === undefined) return "unknown";
    if (hold.ended === "paid") return "paid";
    if (hold.ended === "released") return "done-before";
    add(this.held, hold.account, -hold.amount);
    hold.ended = "released";
    return "released";
  }
}

export function content(legs: readonly Leg[]): string {
  return legs.map(({ account, amount }) => `${account}:${amount}`).join(",");
}

function add(totals: Map<bigint, bigint>, account: bigint, amount: bigint): void {
  totals.set(account, (totals.get(account) ?? 0n) + amount);
}
