import { KNOWN_PROVIDERS, type KnownProvider } from "@sesame/contract/checkout";

/**
 * What an order, the ledger, its access and the desk are:
 *   paid     paid by one sale in the ledger, access open
 *   waits    pending, no franc anywhere, no access; asked on
 *   failed   the provider said no: the same, and a late yes still counts
 *   alarm    pending, no franc anywhere, no access; the desk hears of what came and does not match
 *   returned the provider gave it back before we knew: failed, and the desk hears
 */
export type Cell = "paid" | "waits" | "failed" | "alarm" | "returned";

export type Row = {
  /** As soon as everything that was set going has ended. */
  readonly now: Readonly<Partial<Record<KnownProvider, Cell>>>;
  /** Once the trouble is over and some minutes have passed; as before when absent. */
  readonly later?: Readonly<Partial<Record<KnownProvider, Cell>>>;
};

function all(cell: Cell, others: Row["now"] = {}): Row["now"] {
  return { ...Object.fromEntries(KNOWN_PROVIDERS.map((id) => [id, cell])), ...others };
}

/** Those that make a payment, or ask for one, by a call; KkiaPay's is made in the browser. */
function byCall(cell: Cell): Row["now"] {
  const { kkiapay: _made, ...others } = all(cell);
  return others;
}

/** Those whose answers have a word for what became of it; Telegram lists what was paid. */
function worded(cell: Cell): Row["now"] {
  const { stars: _listed, ...others } = all(cell);
  return others;
}

/** Telegram and Crypto Pay tell nothing of what was not paid. */
const SILENT_NO = { stars: "waits", cryptopay: "waits" } as const;

export const MATRIX = {
  success: { now: all("paid") },
  refusal: { now: all("failed", SILENT_NO) },
  // KkiaPay's and FedaPay's widgets are closed without a word to anybody.
  dismissed: { now: all("failed", { ...SILENT_NO, kkiapay: "waits" }) },
  // KkiaPay's is found by what the browser heard.
  "notice lost": { now: all("waits"), later: all("paid") },
  "told three times, and again later": { now: all("paid") },
  "success after failure": { now: all("paid") },
  // A charge in Telegram's list is what it is for ever.
  "amount changed": { now: all("alarm"), later: all("paid", { stars: "alarm" }) },
  // An update in another currency is none of ours; Telegram's list counts in Stars alone.
  "currency changed": { now: all("alarm", { stars: "waits" }), later: all("paid") },
  // What names another order of ours is no answer about this one where they find it by a name.
  "reference changed": {
    now: all("alarm", { kkiapay: "waits", stars: "waits" }),
    later: all("paid"),
  },
  "word unknown": { now: worded("waits"), later: worded("paid") },
  "given back before we asked": {
    now: { fedapay: "returned", kkiapay: "returned", paydunya: "returned" },
  },
  "creation breaks before": { now: byCall("waits"), later: byCall("paid") },
  "creation breaks after": { now: byCall("waits"), later: byCall("paid") },
  "creation 500": { now: byCall("waits"), later: byCall("paid") },
  "creation 429": { now: byCall("waits"), later: byCall("paid") },
  "creation nonsense": { now: byCall("waits"), later: byCall("paid") },
  "question breaks": { now: all("waits"), later: all("paid") },
  "question 500": { now: all("waits"), later: all("paid") },
  "question 429": { now: all("waits"), later: all("paid") },
  "question nonsense": { now: all("waits"), later: all("paid") },
  "question not found": { now: all("waits"), later: all("paid") },
  "question refused by keys": { now: all("waits"), later: all("paid") },
  // Telegram's updates are a rumour like the others: its list is asked, and has the true charge.
  // The last row: FedaPay tells nothing more to an address that refused it often.
  "told by nobody we know": { now: all("waits", { stars: "paid" }), later: all("paid") },
} as const satisfies Readonly<Record<string, Row>>;

export type CaseName = keyof typeof MATRIX;
