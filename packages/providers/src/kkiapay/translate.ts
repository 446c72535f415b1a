import type { Fcfa } from "@sesame/kernel";
import type { Verdict } from "../port.ts";
import {
  field,
  firstField,
  parseJson,
  readAmount,
  readKept,
  readAnyId,
  readCurrency,
  readWords,
  verdictOfUnknown,
} from "../reading.ts";

/** Every word of KkiaPay into ours (reference §6). Pure. Null: nothing to believe. */

export function verdictOf(word: string): Verdict {
  switch (word) {
    case "SUCCESS":
      return "paid";
    case "FAILED":
      return "refused";
    case "REVERTED":
      return "refunded";
    default:
      return verdictOfUnknown(word);
  }
}

export type Transaction = {
  readonly transactionId: string;
  readonly verdict: Verdict;
  readonly word: string;
  readonly amount: Fcfa | null;
  readonly cost: Fcfa | null;
  readonly currency: string | null;
  /** What the widget was opened with; anybody's browser may have written it. */
  readonly reference: string | null;
};

/** POST /transactions/status. `asked`: the name we gave; an answer may leave it out. */
export function translateStatus(body: unknown, asked: string): Transaction | null {
  const word = field(body, "status");
  if (typeof word !== "string") return null;
  const named = field(body, "transactionId");
  const transactionId = named === undefined || named === null ? asked : readAnyId(named);
  if (transactionId !== asked) return null;
  return {
    transactionId,
    verdict: verdictOf(word),
    word: word.slice(0, 40),
    amount: readAmount(field(body, "amount")),
    cost: readKept(field(body, "amount"), field(body, "income")),
    currency: readTheirCurrency(field(body, "currency")),
    reference: readReference(body),
  };
}

/** Their words for a name that is nobody's, or not of this account (§6.3). */
const UNKNOWN_NAMES = /TRANSACTION_NOT_FOUND|INVALID_TRANSACTION\b|transaction not found/i;
/** Their words for a no to a refund that will stay one. */
const NOES =
  /TRANSACTION_NOT_ELIGIBLE|INVALID_TRANSACTION_TYPE|INSUFFICIENT_FUND|INVALID_PAYOUT_DESTINATION/i;

export function saysUnknown(body: unknown): boolean {
  return UNKNOWN_NAMES.test(wordsOf(body));
}

export function saysNo(body: unknown): boolean {
  return NOES.test(wordsOf(body)) || saysUnknown(body);
}

/** Whatever the status: which one they choose for wrong keys is not known beyond 401. */
export function saysKeysAreWrong(status: number, body: unknown): boolean {
  if (status === 401 || status === 403) return true;
  return status >= 400 && /(api|private|secret|public).?key|unauthori[sz]ed/i.test(wordsOf(body));
}

/** Where an error stands in a body is not known (§6.3). */
const WORDS = ["status", "message", "error", "code", "reason", "failureCode", "failureMessage"];

function wordsOf(body: unknown): string {
  if (typeof body === "string") return body.slice(0, 400);
  const errors = field(body, "error");
  const words = [...WORDS.map((name) => field(body, name)), field(errors, "code")];
  return [...words, field(errors, "message")]
    .filter((word) => typeof word === "string")
    .join(" ")
    .slice(0, 400);
}

export function translateRefusal(body: unknown): string | null {
  return readWords(wordsOf(body));
}

export type Notice = { readonly reference: string; readonly transactionId: string };

/** Null when it does not name both. `partnerId` is often empty (§6.5). */
export function translateNotice(rawBody: Uint8Array): Notice | null {
  const body = parseJson(Buffer.from(rawBody).toString("utf8"));
  const transactionId = readAnyId(field(body, "transactionId"));
  const reference = readReference(body);
  return transactionId === null || reference === null ? null : { reference, transactionId };
}

/** The widget's `data` comes back as `state` here, as `stateData` there; beside it `partnerId`. */
const STATES = ["state", "stateData", "partnerId"];

function readReference(body: unknown): string | null {
  for (const name of STATES) {
    const reference = readState(field(body, name));
    if (reference !== null) return reference;
  }
  return null;
}

/** Plain text, JSON in a text, an object, or JSON in JSON. */
function readState(state: unknown, depth = 0): string | null {
  if (typeof state === "string" && depth < 3) {
    const inner = /^\s*[{"]/.test(state) ? parseJson(state) : null;
    return inner === null ? readAnyId(state) : readState(inner, depth + 1);
  }
  if (typeof state === "number") return readAnyId(state);
  return readAnyId(firstField(state, ["reference", "order_id", "data"]));
}

/** They write none: an account of theirs counts in francs alone (§6.3). */
function readTheirCurrency(value: unknown): string | null {
  return value === undefined || value === null ? "XOF" : readCurrency(value);
}
