import type {
  AggregatorOnWire,
  AggregatorsRefusal,
  UserAggregatorBody,
  UserAggregatorOnWire,
} from "@sesame/contract/aggregators";
import { isAggregatorKey, isMethodKey, METHOD_KEYS } from "@sesame/contract/aggregators";
import type { PlansRefusal } from "@sesame/contract/plans";
import type { InstanceSettings } from "@sesame/contract/settings";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { Actor } from "../../audit/audit.store.ts";
import type { HttpServer } from "../../http/server.ts";
import { mapPart, type SellerPart, sideBySide } from "../../postgres/parts.ts";
import { SecretUnreadable } from "../../secrets/vault.ts";
import { noteUnreadable, providerFor } from "./accounts.ts";
import { noteRefused, switchMethod, takeKeysAway } from "./change-methods.ts";
import type { AggregatorsDeps, CreateTrial } from "./deps.ts";
import type { AggregatorDoor } from "./door.ts";
import { registerAggregatorsHttp, registerTrialHttp } from "./http.ts";
import { methodsPart, type SellerMethods, viewMethods } from "./keys.view.ts";
import { type OfferRules, offersBy } from "./offers.ts";
import { aggregatorsToWire, userAggregatorToWire } from "./on-wire.ts";
import { namesKeys } from "./read-keys.ts";
import { saveKeys } from "./save-keys.ts";
import { openKeys } from "./sealed-keys.ts";
import { startTrial } from "./start-trial.ts";

export type { AggregatorsDeps, CreateTrial, Keys } from "./deps.ts";
export type { AggregatorDoor } from "./door.ts";
export { hush } from "./hush.ts";
export { AGGREGATORS_CHANGED } from "./tell-change.ts";

type Refused = AggregatorsRefusal | PlansRefusal;

export type MethodChange = {
  readonly sellerId: bigint;
  /** As it stands in the address. */
  readonly key: string;
  readonly actor: Actor;
};

export type Aggregators = AggregatorDoor & {
  /** Ids of what a seller is paid by, as a part of his start. */
  readonly methodsAtStart: SellerPart<readonly string[]>;
  /** What there is to configure. */
  known(): AggregatorOnWire[];
  /** A seller's methods, as he configures them. */
  listOf(sellerId: bigint): Promise<UserAggregatorOnWire[]>;
  /** Keys first, then the switch. Throws an Outage when the provider does not answer. */
  change(
    change: MethodChange & { body: UserAggregatorBody },
  ): Promise<Result<UserAggregatorOnWire, Refused>>;
  takeAway(change: MethodChange): Promise<Result<UserAggregatorOnWire, Refused>>;
  /** `createTrial` is checkout's, which stands on this door itself. */
  registerHttp(app: HttpServer, createTrial: CreateTrial): void;
};

const UNKNOWN = refuse({ kind: "aggregators.unknown" } as const);

export function createAggregators(deps: AggregatorsDeps): Aggregators {
  const oneOf = async (sellerId: bigint, key: string) => {
    const one = (await listOf(deps, sellerId)).find((aggregator) => aggregator.key === key);
    return one ? ok(one) : UNKNOWN;
  };
  const door: Aggregators = {
    async offersOf(sellerId) {
      const methods = sellerId === null ? null : await viewMethods(deps.db, sellerId);
      return offersBy(await rulesFor(deps, methods), methods);
    },
    providerFor: (provider, keyId) => providerFor(deps, provider, keyId),
    noteRefused: (keyId) => noteRefused(deps, keyId),
    methodsAtStart: (seller) =>
      mapPart(
        sideBySide({ methods: methodsPart(seller), settings: deps.settings.part() }),
        async ({ methods, settings }) =>
          offersBy(await rulesBy(deps, methods, settings), methods).map(({ provider }) => provider),
      ),
    known: () => aggregatorsToWire(deps),
    listOf: (sellerId) => listOf(deps, sellerId),
    async change({ sellerId, key, actor, body }) {
      if (!isMethodKey(key)) return UNKNOWN;
      if (namesKeys(body)) {
        if (!isAggregatorKey(key)) return UNKNOWN;
        const saved = await saveKeys(deps, { sellerId, provider: key, body, actor });
        if (!saved.ok) return saved;
      }
      const { isActive: active } = body;
      if (active !== undefined)
        await switchMethod(deps, { sellerId, provider: key, actor, active });
      return oneOf(sellerId, key);
    },
    async takeAway({ sellerId, key, actor }) {
      if (!isAggregatorKey(key)) return UNKNOWN;
      const taken = await takeKeysAway(deps, { sellerId, provider: key, actor });
      return taken.ok ? oneOf(sellerId, key) : taken;
    },
    registerHttp(app, createTrial) {
      registerAggregatorsHttp(app, door);
      registerTrialHttp(app, (trial) => startTrial(deps, createTrial, trial));
    },
  };
  return door;
}

async function listOf(deps: AggregatorsDeps, sellerId: bigint): Promise<UserAggregatorOnWire[]> {
  const methods = await viewMethods(deps.db, sellerId);
  const shown = { rules: await rulesFor(deps, methods), publicUrl: deps.publicUrl };
  return METHOD_KEYS.filter(
    (key) => isAggregatorKey(key) || deps.instance.some(({ id }) => id === key),
  ).map((key) => userAggregatorToWire(key, methods, shown));
}

/** Keys that cannot be opened are found here first: the desk hears before a buyer meets them. */
async function rulesFor(deps: AggregatorsDeps, methods: SellerMethods | null): Promise<OfferRules> {
  return rulesBy(deps, methods, await deps.settings.current());
}

async function rulesBy(
  deps: AggregatorsDeps,
  methods: SellerMethods | null,
  { starsOnly }: Pick<InstanceSettings, "starsOnly">,
): Promise<OfferRules> {
  const unreadable = new Set<bigint>();
  for (const row of methods?.keys ?? []) {
    const opened = openKeys(deps.vault, row);
    if (!(opened instanceof SecretUnreadable)) continue;
    unreadable.add(row.id);
    await noteUnreadable(deps, row, opened);
  }
  return {
    instance: deps.instance.map(({ id }) => id),
    starsOnly,
    isReadable: ({ id }) => !unreadable.has(id),
  };
}
