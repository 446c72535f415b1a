import { createHash, timingSafeEqual } from "node:crypto";
import { createHttpClient, type HttpAnswer, isExplicitNo } from "../http-client.ts";
import type { Environment, WebhookReading, PayoutWebhook } from "../port.ts";
import { field, firstField, parseJson, readId } from "../reading.ts";

export type PaydunyaOptions = {
  readonly masterKey: string;
  readonly privateKey: string;
  readonly token: string;
  /** Scheme, host and port: `https://app.paydunya.com`. */
  readonly apiRoot: string;
  readonly timeoutMs?: number;
};

export type PaydunyaClient = ReturnType<typeof createPaydunyaClient>;

/** PayDunya's API; errors: see `createHttpClient`. */
export function createPaydunyaClient(keys: Required<PaydunyaOptions>) {
  const call = createHttpClient({
    party: "paydunya",
    apiRoot: keys.apiRoot,
    headers: {
      "paydunya-master-key": keys.masterKey,
      "paydunya-private-key": keys.privateKey,
      "paydunya-token": keys.token,
    },
    timeoutMs: keys.timeoutMs,
  });
  const post = (name: string, body: object) =>
    call({ method: "POST", path: `/api/v2/disburse/${name}`, body });
  // Payments have a sandbox address, for test keys; payouts have none.
  const api = keys.privateKey.startsWith("test_") ? "/sandbox-api/v1" : "/api/v1";
  const invoices = `${api}/checkout-invoice`;
  return {
    /** Creates a token; moves no money. */
    getInvoice: (invoice: object) => post("get-invoice", invoice),
    /** Moves the money. */
    submitInvoice: (submission: object) => post("submit-invoice", submission),
    checkStatus: (disburseToken: string) =>
      post("check-status", { disburse_invoice: disburseToken }),
    createInvoice: (body: object) => call({ method: "POST", path: `${invoices}/create`, body }),
    confirmInvoice: (token: string) =>
      call({ method: "GET", path: `${invoices}/confirm/${encodeURIComponent(token)}` }),
  };
}

/** A success is HTTP 2xx with this code; a refusal may have HTTP 200 too. */
const YES = "00";
/** Wrong keys; payouts not enabled for the account. From public code, not from PayDunya's pages. */
const NO_TO_KEYS = new Set(["1001", "401"]);
/** From public code too: this `disburse_id` was already submitted, with whatever token. */
const ALREADY_SUBMITTED = "5000";

export function isYes(body: unknown): boolean {
  return field(body, "response_code") === YES;
}

/** Whether the answer is a refusal: any code other than that of a success. */
export function isNo(body: unknown): boolean {
  const code = field(body, "response_code");
  return (typeof code === "string" || typeof code === "number") && code !== YES;
}

export function saysKeysAreWrong(status: number, body: unknown): boolean {
  return status === 401 || status === 403 || NO_TO_KEYS.has(codeOf(body));
}

/** Some answers write it as a number. */
function codeOf(body: unknown): string {
  const code = field(body, "response_code");
  return typeof code === "string" || typeof code === "number" ? String(code) : "";
}

/** The only refusal after which money may have left. */
export function saysAlreadySubmitted(body: unknown): boolean {
  return codeOf(body) === ALREADY_SUBMITTED;
}

/** Whether the answer is a refusal: by the status, or HTTP 200 with another code. */
export function saidNo({ status, body }: HttpAnswer): boolean {
  return isExplicitNo(status) || (status < 300 && isNo(body));
}

/** The key identifies the environment: payouts have no sandbox address. */
export function environmentOfKey(privateKey: string): Environment {
  if (privateKey.startsWith("live_")) return "live";
  return privateKey.startsWith("test_") ? "sandbox" : "unknown";
}

export function readToken(value: unknown): string | null {
  return typeof value === "string" && /^[A-Za-z0-9._-]{1,200}$/.test(value) ? value : null;
}

/**
 * PayDunya signs nothing: a webhook carries `hash`, the SHA-512 of the master key, always the same.
 * It proves only that PayDunya, or a reader of an earlier webhook, wrote it. The
 * other content of a payout's webhook is not documented, nor its form: a form whose `data` is JSON, a
 * form of `data[…]` keys, or JSON alone.
 */
export function readPaydunyaWebhook(rawBody: Uint8Array, masterKey: string): PayoutWebhook {
  const words = wordsOf(Buffer.from(rawBody).toString("utf8"));
  if (!isHashOf(words.get("hash"), masterKey)) return { trusted: false };
  const first = (...names: string[]) =>
    names.map((name) => readId(words.get(name))).find((id) => id !== null) ?? null;
  return {
    trusted: true,
    providerPayoutId: first("transaction_id"),
    handle: first("disburse_invoice", "disburse_token", "token"),
    reference: first("disburse_id"),
  };
}

/**
 * Reads a payment's webhook: `data` has the answer of confirming the invoice, its token under
 * `invoice`. A payout's webhook comes to the same address, without an invoice.
 */
export function readPaymentWebhook(rawBody: Uint8Array, masterKey: string): WebhookReading {
  const text = Buffer.from(rawBody).toString("utf8");
  if (!isHashOf(wordsOf(text).get("hash"), masterKey)) return { trusted: false };
  return { trusted: true, providerPaymentId: invoiceOf(text) };
}

/** JSON alone, JSON in the form's `data`, or `data[invoice][token]`. */
function invoiceOf(text: string): string | null {
  const form = new URLSearchParams(text);
  const body = parseJson(text) ?? parseJson(form.get("data") ?? "");
  const data = firstField(body, ["data"]) ?? body;
  const inner = typeof data === "string" ? parseJson(data) : data;
  const token = field(field(inner, "invoice"), "token");
  return readToken(token ?? form.get("data[invoice][token]") ?? form.get("invoice[token]"));
}

/** Replaces the hash. */
const CUT_OUT = "cut-out";

/**
 * The webhook without its hash, which is always the same and proves the sender: a reader of the table or
 * a backup could forge webhooks with it. A body with the hash in another spelling is not kept.
 */
export function withoutHash(rawBody: Uint8Array, masterKey: string): Uint8Array {
  const hash = createHash("sha512").update(masterKey).digest("hex");
  const text = Buffer.from(rawBody).toString("latin1").replace(new RegExp(hash, "gi"), CUT_OUT);
  const kept = Buffer.from(text, "latin1");
  return unescaped(text).toLowerCase().includes(hash) ? new Uint8Array() : kept;
}

/** Decoded as a form (`%61`) or JSON (`\u0061`) would be. */
const unescaped = (text: string): string =>
  text.replace(/%([0-9a-f]{2})|\\u00([0-9a-f]{2})/gi, (_, form: string, json: string) =>
    String.fromCharCode(Number.parseInt(form ?? json, 16)),
  );

/** Lower-case hex only, compared in constant time. */
function isHashOf(hash: string | undefined, masterKey: string): boolean {
  if (hash === undefined || !/^[0-9a-f]{128}$/.test(hash)) return false;
  const expected = createHash("sha512").update(masterKey).digest();
  return timingSafeEqual(expected, Buffer.from(hash, "hex"));
}

const DEEPEST = 3;
const MOST_WORDS = 200;

/** Every value of a webhook by its innermost name; of two with the same name, the outer one. */
function wordsOf(text: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  const json = parseJson(text);
  if (json !== null) {
    gather(json, words);
    return words;
  }
  for (const [key, value] of new URLSearchParams(text)) {
    const inner = key === "data" ? parseJson(value) : null;
    if (inner !== null) gather(inner, words);
    else keep(words, key.match(/([^[\]]+)\]?$/)?.[1] ?? key, value);
  }
  return words;
}

/** Breadth first: an outer value has priority over an inner one. */
function gather(root: unknown, words: Map<string, string>): void {
  let level: readonly unknown[] = [root];
  for (let depth = 0; depth <= DEEPEST; depth += 1) {
    const next: unknown[] = [];
    for (const part of level) {
      if (typeof part !== "object" || part === null) continue;
      for (const [name, value] of Object.entries(part)) {
        if (typeof value === "string" || typeof value === "number") {
          keep(words, name, String(value));
        } else next.push(value);
      }
    }
    level = next;
  }
}

function keep(words: Map<string, string>, name: string, value: string): void {
  if (words.size < MOST_WORDS && !words.has(name)) words.set(name, value);
}
