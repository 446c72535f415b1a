import { Outage } from "@sesame/kernel";
import { isExplicitNo, nonsense } from "../http-client.ts";
import { refuseAmount } from "../payout-methods.ts";
import type { FetchedPayout, ListedPayout, PayoutName, PayoutProvider } from "../payout-port.ts";
import { createFedapayClient, isTimelySignature, isTimelySigned } from "./client.ts";
import { type FedapayDoor, prepare, submit } from "./send.ts";
import {
  environmentOfKey,
  type ModeSpellings,
  modeOf,
  translateNotice,
  translatePayout,
  translatePayouts,
} from "./translate.ts";

export { createFedapay, type FedapayCollectOptions } from "./collect.ts";

export type FedapayOptions = {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Scheme, host and port: `https://api.fedapay.com`. */
  readonly apiRoot: string;
  /** A notice says when it was signed. */
  readonly now: () => Date;
  /** Words of this account for some methods: Orange in Burkina is `orange-bf` or `orange_bf`. */
  readonly modeSpellings?: ModeSpellings;
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 15_000;

/** Theirs, for each payout (reference §5.6). */
const LIMITS = { min: 1, max: 1_000_000 };

/** A list longer than this is not ours to walk: ten years of a hundred payouts a day. */
const MOST_PAGES = 4_000;
/** A payout just made stands among the first. */
const PAGES_OF_A_SEARCH = 5;

/**
 * FedaPay's payouts behind the port. Two steps: a payout is made and waits, its id is the handle;
 * then it is started. Ours comes back as `merchant_reference`.
 */
export function createFedapayPayouts(options: FedapayOptions): PayoutProvider {
  const client = createFedapayClient({
    secretKey: options.secretKey,
    apiRoot: options.apiRoot,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
  });
  const environment = environmentOfKey(options.secretKey);
  const spellings = options.modeSpellings ?? {};
  const lookups = { client, environment };
  const door: FedapayDoor = {
    client,
    environment,
    spellings,
    byId: (id) => fetchById(lookups, id),
    byReference: (reference) => findByReference(lookups, reference),
  };
  return {
    id: "fedapay",
    cannotServe: (method, amount) =>
      modeOf(method, spellings) === null ? { kind: "method" } : refuseAmount(amount, LIMITS),
    prepare: (request) => prepare(door, request),
    submit: (_request, handle) => submit(door, handle),
    lookup: (name) => lookup(door, name),
    findsByReference: true,
    list: (since) => listSince(lookups, since),
    mayBeTrusted: (headers) =>
      isTimelySignature({ header: headers["x-fedapay-signature"], now: options.now() }),
    readNotice(headers, rawBody) {
      const header = headers["x-fedapay-signature"];
      const signature = { header, secret: options.webhookSecret, now: options.now() };
      return isTimelySigned(rawBody, signature) ? translateNotice(rawBody) : { trusted: false };
    },
  };
}

type Lookups = Pick<FedapayDoor, "client" | "environment">;

async function lookup(door: FedapayDoor, name: PayoutName): Promise<FetchedPayout | null> {
  const id = name.providerPayoutId ?? name.handle;
  return id === null ? door.byReference(name.reference) : door.byId(id);
}

async function fetchById(
  { client, environment }: Lookups,
  id: string,
): Promise<FetchedPayout | null> {
  const answer = await client.payoutById(id);
  if (answer.status === 404) return null;
  const payout = answer.status === 200 ? translatePayout(answer.body, environment) : null;
  if (payout?.providerPayoutId !== id) throw nonsense("fedapay", "payouts", answer);
  return payout;
}

/** By the address for it where there is one, else among the latest. */
async function findByReference(lookups: Lookups, reference: string): Promise<FetchedPayout | null> {
  const answer = await lookups.client.payoutByReference(reference);
  const payout = answer.status === 200 ? translatePayout(answer.body, lookups.environment) : null;
  if (payout?.reference === reference) return payout;
  if (answer.status !== 200 && !isExplicitNo(answer.status)) {
    throw nonsense("fedapay", "payouts/merchant", answer);
  }
  for await (const page of walk(lookups, PAGES_OF_A_SEARCH)) {
    const found = page.find((listed) => listed.reference === reference);
    if (found) return found;
  }
  return null;
}

async function listSince(lookups: Lookups, since: Date): Promise<readonly ListedPayout[]> {
  const kept: ListedPayout[] = [];
  for await (const page of walk(lookups, MOST_PAGES)) {
    kept.push(...page.filter(({ createdAt }) => createdAt === null || createdAt >= since));
    if (isAllBefore(page, since)) break;
  }
  return kept;
}

/** Newest first is how they answer; where it is not, every page is read. */
function isAllBefore(page: readonly ListedPayout[], since: Date): boolean {
  let previous = Number.POSITIVE_INFINITY;
  for (const { createdAt } of page) {
    if (createdAt === null || createdAt >= since || createdAt.getTime() > previous) return false;
    previous = createdAt.getTime();
  }
  return true;
}

/** Page after page, each payout once, to the last one or to `most`. */
async function* walk(
  { client, environment }: Lookups,
  most: number,
): AsyncGenerator<readonly ListedPayout[]> {
  const seen = new Set<string | null>();
  for (let number = 1; number <= most; number += 1) {
    const answer = await client.listPayouts(number);
    const page = answer.status === 200 ? translatePayouts(answer.body, environment) : null;
    if (!page || page.unread > 0) throw nonsense("fedapay", "payouts", answer);
    // One that ignores the page's number would answer the same for ever.
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
