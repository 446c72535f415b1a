import { assert, type Fcfa, fcfa, ok, Outage, refuse } from "@sesame/kernel";
import { type HttpAnswer, isExplicitNo, nonsense, orBusy, orLost } from "../http-client.ts";
import { readPayoutNumber, refuseAmount, termsOf } from "../payout-methods.ts";
import type {
  Environment,
  FetchedPayout,
  ListedPayout,
  PayoutAnswer,
  PayoutMethod,
  PayoutWebhook,
  PayoutProvider,
  PayoutRefusal,
  PayoutRequest,
} from "../port.ts";
import {
  field,
  firstField,
  parseJson,
  payoutStatuses,
  readAmount,
  readAnyId,
  readCurrency,
  readInstant,
  readWords,
  saysFloatIsShort,
} from "../reading.ts";
import { createFedapayClient, environmentOfKey, type FedapayClient, isSigned } from "./client.ts";

export { createFedapay, type FedapayCollectOptions } from "./payments.ts";

type FedapayOptions = {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Scheme, host and port: `https://api.fedapay.com`. */
  readonly apiRoot: string;
  /** Checks the age of a webhook. */
  readonly now: () => Date;
  /** How this account spells some methods: Orange in Burkina is `orange-bf` or `orange_bf`. */
  readonly modeSpellings?: ModeSpellings;
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 15_000;

/** FedaPay's limits for each payout. */
const LIMITS = { min: 1, max: 1_000_000 };

/** A longer list is not ours: this is ten years of a hundred payouts a day. */
const MOST_PAGES = 4_000;
/** A new payout is on one of the first pages. */
const PAGES_OF_A_SEARCH = 5;

/**
 * FedaPay's payouts as a payout provider. Two steps: a payout is created and waits, its id is the
 * handle; then it is started. Our reference is `merchant_reference` in the answers.
 */
export function createFedapayPayouts(options: FedapayOptions): PayoutProvider {
  const { secretKey, apiRoot, modeSpellings: spellings = {}, timeoutMs = TIMEOUT_MS } = options;
  const api: Api = {
    client: createFedapayClient({ secretKey, apiRoot, timeoutMs }),
    environment: environmentOfKey(secretKey),
    spellings,
  };
  return {
    id: "fedapay",
    cannotServe: (method, amount) =>
      modeOf(method, spellings) === null ? { kind: "method" } : refuseAmount(amount, LIMITS),
    prepare: (request) => prepare(api, request),
    submit: (_request, handle) => submit(api, handle),
    lookup: ({ providerPayoutId, handle, reference }) => {
      const id = providerPayoutId ?? handle;
      return id === null ? findByReference(api, reference) : fetchById(api, id);
    },
    list: (since) => listSince(api, since),
    readWebhook: (headers, rawBody) =>
      isSigned(headers, rawBody, options) ? translateWebhook(rawBody) : { trusted: false },
  };
}

type Api = {
  readonly client: FedapayClient;
  readonly environment: Environment;
  readonly spellings: ModeSpellings;
};

async function fetchById({ client, environment }: Api, id: string): Promise<FetchedPayout | null> {
  const answer = await client.payoutById(id);
  if (answer.status === 404) return null;
  const payout = answer.status === 200 ? translatePayout(answer.body, environment) : null;
  if (payout?.providerPayoutId !== id) throw nonsense("fedapay", "payouts", answer);
  return payout;
}

/** Finds the payout by the address for references if the API has one, else on the latest pages. */
async function findByReference(api: Api, reference: string): Promise<FetchedPayout | null> {
  const answer = await api.client.payoutByReference(reference);
  const payout = answer.status === 200 ? translatePayout(answer.body, api.environment) : null;
  if (payout?.reference === reference) return payout;
  if (answer.status !== 200 && !isExplicitNo(answer.status)) {
    throw nonsense("fedapay", "payouts/merchant", answer);
  }
  for await (const page of walk(api, PAGES_OF_A_SEARCH)) {
    const found = page.find((listed) => listed.reference === reference);
    if (found) return found;
  }
  return null;
}

async function listSince(api: Api, since: Date): Promise<readonly ListedPayout[]> {
  const kept: ListedPayout[] = [];
  for await (const page of walk(api, MOST_PAGES)) {
    kept.push(...page.filter(({ createdAt }) => createdAt === null || createdAt >= since));
    if (isAllBefore(page, since)) break;
  }
  return kept;
}

/** FedaPay usually answers newest first; if not, every page is read. */
function isAllBefore(page: readonly ListedPayout[], since: Date): boolean {
  let previous = Number.POSITIVE_INFINITY;
  for (const { createdAt } of page) {
    if (createdAt === null || createdAt >= since || createdAt.getTime() > previous) return false;
    previous = createdAt.getTime();
  }
  return true;
}

/** Pages one after the other, each payout once, to the last page or to `most`. */
async function* walk(
  { client, environment }: Api,
  most: number,
): AsyncGenerator<readonly ListedPayout[]> {
  const seen = new Set<string | null>();
  for (let number = 1; number <= most; number += 1) {
    const answer = await client.listPayouts(number);
    const page = answer.status === 200 ? translatePayouts(answer.body, environment) : null;
    if (!page || page.unread > 0) throw nonsense("fedapay", "payouts", answer);
    // An API that ignores the page number would send the same page for ever.
    const fresh = page.payouts.filter(({ providerPayoutId }) => !seen.has(providerPayoutId));
    for (const { providerPayoutId } of fresh) seen.add(providerPayoutId);
    if (fresh.length === 0) return;
    yield fresh;
    if (page.pages !== null && number >= page.pages) return;
  }
  if (most === MOST_PAGES) {
    throw new Outage("fedapay: the list of payouts has no end", {
      party: "fedapay",
      retryable: false,
    });
  }
}

/**
 * Creates the waiting payout, or finds the one of an earlier call: `merchant_reference` is unique,
 * and FedaPay's answer to its second use is not documented.
 */
async function prepare(api: Api, request: PayoutRequest) {
  const written = writePayout(api, request);
  if (!written) return refuse({ kind: "request", message: null });
  const made = await orLost(api.client.createPayout(written));
  if (!(made instanceof Outage) && made.status < 300) {
    const payout = translatePayout(made.body, api.environment);
    if (!payout?.providerPayoutId) throw nonsense("fedapay", "payouts", made);
    return ok({ handle: payout.providerPayoutId });
  }
  const refusal = made instanceof Outage ? null : readRefusal(made);
  if (refusal?.kind === "keys") return refuse(refusal);
  const earlier = await findByReference(api, request.reference);
  if (earlier?.providerPayoutId) {
    if (earlier.amount === request.amount) return ok({ handle: earlier.providerPayoutId });
    return refuse({ kind: "request", message: `${request.reference}: another amount` });
  }
  if (made instanceof Outage) throw made;
  return refuse(refusal ?? { kind: "request", message: null });
}

function readRefusal(answer: HttpAnswer): PayoutRefusal | null {
  // 409: not documented by FedaPay, but usual for a reference in use.
  if (!isExplicitNo(answer.status) && answer.status !== 409) {
    throw nonsense("fedapay", "payouts", answer);
  }
  return translateRefusal(answer.status, answer.body);
}

function writePayout(api: Api, request: PayoutRequest): object | null {
  const mode = modeOf(request.method, api.spellings);
  const number = readPayoutNumber(request.method, request.phone);
  // Without a mode FedaPay answers 500 without an explanation.
  if (mode === null || number === null) return null;
  return {
    amount: Number(request.amount),
    currency: { iso: "XOF" },
    mode,
    description: request.description,
    merchant_reference: request.reference,
    custom_metadata: { withdrawal_id: request.withdrawalId, reference: request.reference },
    customer: {
      firstname: request.recipient.firstName,
      lastname: request.recipient.lastName,
      email: request.recipient.email,
      phone_number: { number: number.e164, country: number.iso2 },
    },
  };
}

/** Starts the waiting payout: the money moves. */
async function submit(api: Api, handle: string | null) {
  assert(handle !== null, "a payout of FedaPay is started by its id");
  const taken = await orBusy(api.client.startPayout(handle));
  if (!taken.ok) return taken;
  const answer = taken.value;
  if (isExplicitNo(answer.status)) return confirmNo(api, handle, answer);
  const started = answer.status < 300 ? readStarted(answer.body, handle, api.environment) : null;
  if (!started) throw nonsense("fedapay", "payouts/start", answer);
  return ok(started);
}

/** Several payouts may be started at once; ours has that id, in whatever wrapping. */
function readStarted(body: unknown, id: string, environment: Environment): PayoutAnswer | null {
  const one = translatePayout(body, environment);
  const all = one ? [one] : (translatePayouts(body, environment)?.payouts ?? []);
  const ours = all.find((payout) => payout.providerPayoutId === id);
  if (!ours) return null;
  // FedaPay just accepted the payout: here `pending` is a status not yet updated.
  return ours.status === "not-started" ? { ...ours, status: "sent" } : ours;
}

/** A payout cannot be started twice: before a refusal is believed, the payout itself is looked up. */
async function confirmNo(api: Api, handle: string, no: HttpAnswer) {
  const payout = await fetchById(api, handle);
  if (payout === null) throw nonsense("fedapay", "payouts/start", no);
  return payout.status === "not-started"
    ? refuse(translateRefusal(no.status, no.body))
    : ok(payout);
}

/** Maps FedaPay's answers about payouts. Pure. Null: an invalid answer. */

/** Other spellings of an account, by method. */
type ModeSpellings = Readonly<Record<PayoutMethod, string>>;

export function modeOf(method: PayoutMethod, spellings: ModeSpellings): string | null {
  const mode = termsOf(method)?.fedapay ?? null;
  return mode === null ? null : (spellings[method] ?? mode);
}

export const payoutStatusOf = payoutStatuses({
  sent: "succeeded",
  failed: "failed",
  pending: "not-started",
});

/** One payout, wrapped under `v1/payout` or bare. */
export function translatePayout(body: unknown, environment: Environment): ListedPayout | null {
  const payout = unwrapOne(body);
  const id = readAnyId(field(payout, "id"));
  const word = field(payout, "status");
  if (id === null || typeof word !== "string") return null;
  const status = payoutStatusOf(word);
  return {
    status,
    providerPayoutId: id,
    word: word.slice(0, 40),
    // No known answer contains the mobile operator's reference.
    operatorReference: null,
    failure:
      status === "failed"
        ? readWords(firstField(payout, ["last_error_message", "last_error_code"]))
        : null,
    cost: readCost(payout),
    environment,
    amount: readAmount(field(payout, "amount")),
    currency: readCurrency(field(payout, "currency")),
    reference: readReference(payout),
    createdAt: readInstant(field(payout, "created_at")),
  };
}

/** Several payouts: under `v1/payouts`, under `data`, or a bare list. */
export function translatePayouts(body: unknown, environment: Environment) {
  const list = Array.isArray(body) ? body : firstField(body, ["v1/payouts", "payouts", "data"]);
  if (!Array.isArray(list)) return null;
  const read = list.map((item: unknown) => translatePayout(item, environment));
  const payouts = read.filter((payout) => payout !== null);
  const pages = field(field(body, "meta"), "total_pages");
  return {
    payouts,
    /** The number of unreadable lines: a list with gaps proves nothing. */
    unread: read.length - payouts.length,
    /** As in the answer; null when absent. */
    pages: typeof pages === "number" && Number.isSafeInteger(pages) ? pages : null,
  };
}

/** The object of a webhook is under `entity`; the body for a payout is not documented. */
export function translateWebhook(rawBody: Uint8Array): PayoutWebhook {
  const body = parseJson(Buffer.from(rawBody).toString("utf8"));
  const entity = unwrapOne(firstField(body, ["entity", "data", "object"]));
  const about = [field(body, "name"), field(body, "object"), field(entity, "klass")];
  const isPayout = about.some((word) => typeof word === "string" && /^(v1\/)?payout\b/.test(word));
  const id = isPayout ? readAnyId(field(entity, "id")) : null;
  return {
    trusted: true,
    providerPayoutId: id,
    handle: id,
    reference: isPayout ? readReference(entity) : null,
  };
}

export function translateRefusal(status: number, body: unknown): PayoutRefusal {
  if (status === 401 || status === 403) return { kind: "keys" };
  const message = readWords(field(body, "message"));
  const errors = JSON.stringify(firstField(body, ["errors"]) ?? "");
  if (saysFloatIsShort(message) || saysFloatIsShort(errors)) return { kind: "float" };
  return { kind: "request", message: message ?? readWords(errors === '""' ? null : errors) };
}

const unwrapOne = (body: unknown): unknown => firstField(body, ["v1/payout", "payout"]) ?? body;

function readReference(payout: unknown): string | null {
  const reference =
    field(payout, "merchant_reference") ?? field(field(payout, "custom_metadata"), "reference");
  return typeof reference === "string" ? reference : null;
}

/** On top of the amount: in `fees`, or the difference to the amount debited. */
function readCost(payout: unknown): Fcfa | null {
  const fees = readAmount(field(payout, "fees"));
  if (fees !== null) return fees;
  const amount = readAmount(field(payout, "amount"));
  const debited = readAmount(field(payout, "amount_debited"));
  return amount === null || debited === null || debited < amount ? null : fcfa(debited - amount);
}
