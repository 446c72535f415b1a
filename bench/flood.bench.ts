import { setTimeout as sleep } from "node:timers/promises";
import type { CreateOrderAnswer } from "@sesame/contract/checkout";
import { assert } from "@sesame/kernel";
import { type Emulators, startEmulators } from "../apps/emulators/src/index.ts";
import {
  BUYER_BOT_TOKEN,
  FEDAPAY_KEYS,
  MONEROO_SECRET_KEY,
  MONEROO_WEBHOOK_SECRET,
  SELLER_BOT_TOKEN,
} from "../apps/server/test/harness.ts";
import { publishProduct } from "../apps/server/test/sales.ts";
import {
  linkGroup,
  openOutside,
  type Outside,
  seeOrder,
  signIn,
} from "../apps/server/test/wire/stranger.ts";
import { buildPages } from "../tools/launch/build.ts";
import { milliseconds, type Place } from "./figures.ts";

const PROVIDERS = ["moneroo", "fedapay"] as const;
const WORKERS = 8;
const HONEST = 5;
const EVERY_MS = 3_000;
const GIVEN_UP_MS = 120_000;

type Provider = (typeof PROVIDERS)[number];
type Somebody = Awaited<ReturnType<typeof signIn>>;
type BenchServer = {
  readonly out: Outside;
  readonly emulators: Emulators;
  readonly references: readonly string[];
  goesOn(): void;
};

/**
 * While one person orders at full rate and never pays: how long another buyer's order takes until a
 * page of the provider's is open for it, and how long until a payment made there is settled. The
 * server is a process of its own; the emulated provider, which allows what Moneroo documents, and all
 * people share this one.
 */
export async function run({ say }: Place): Promise<void> {
  buildPages(["web"]);
  const server = await open(say);
  for (const provider of PROVIDERS) {
    const alone = await buy(server, provider);
    say(
      milliseconds(`an order at ${provider}, alone`, alone.openedMs),
      milliseconds(`a payment at ${provider} until it is settled, alone`, alone.settledMs),
    );
    const flood = startFlood(server, provider);
    await sleep(EVERY_MS);
    const bought = await Promise.all(
      Array.from({ length: HONEST }, async (_, turn) => {
        await sleep(turn * EVERY_MS);
        return buy(server, provider);
      }),
    );
    await flood.stop();
    const slowest = (key: keyof Bought) => Math.max(...bought.map((each) => each[key]));
    say(
      milliseconds(`P3 an order at ${provider} beside a flood, slowest`, slowest("openedMs"), {
        atMost: 2_000,
      }),
      milliseconds(
        `P3 a payment at ${provider} until it is settled, slowest`,
        slowest("settledMs"),
        {
          atMost: 10_000,
        },
      ),
    );
  }
  await server.out.close();
  await server.emulators.close();
}

async function open(goesOn: () => void): Promise<BenchServer> {
  const emulators = await startEmulators({
    port: 0,
    appUrl: "http://127.0.0.1",
    sellerBotToken: SELLER_BOT_TOKEN,
    buyerBotToken: BUYER_BOT_TOKEN,
    monerooSecretKey: MONEROO_SECRET_KEY,
    monerooWebhookSecret: MONEROO_WEBHOOK_SECRET,
    fedapay: FEDAPAY_KEYS,
  });
  emulators.collectors.moneroo.limit.perMinute = 120;
  const out = await openOutside({
    env: {
      MONEROO_SECRET_KEY,
      MONEROO_WEBHOOK_SECRET,
      MONEROO_API_ROOT: emulators.apiRoot,
      FEDAPAY_SECRET_KEY: FEDAPAY_KEYS.secretKey,
      FEDAPAY_PUBLIC_KEY: FEDAPAY_KEYS.publicKey,
      FEDAPAY_WEBHOOK_SECRET: FEDAPAY_KEYS.webhookSecret,
      FEDAPAY_API_ROOT: emulators.apiRoot,
      FEDAPAY_WIDGET_URL: `${emulators.apiRoot}/fedapay/checkout.js`,
    },
  });
  emulators.pointTo({ appUrl: out.url });
  const seller = await signIn(out, 8_100, "vendeur");
  const group = await linkGroup(out, seller, { chatId: -1_001_000_008_100 });
  const references: string[] = [];
  for (let made = 0; made < 5; made += 1) {
    references.push((await publishProduct(out, { seller, group })).reference);
  }
  return { out, emulators, references, goesOn };
}

let people = 8_200;
const buyer = ({ out }: BenchServer) => signIn(out, (people += 1), "acheteur");

type OrderRequest = {
  readonly provider: Provider;
  readonly reference: string;
  readonly key: string;
};

const order = (
  { out }: BenchServer,
  { token }: Somebody,
  { provider, reference, key }: OrderRequest,
) =>
  out.call<CreateOrderAnswer>("POST", "/api/orders", {
    token,
    body: { reference, provider },
    headers: { "idempotency-key": key },
  });

/** Five products in turn, each call with a key of its own, by as many calls at once as there are workers. */
function startFlood(server: BenchServer, provider: Provider) {
  let going = true;
  let calls = 0;
  const worker = async (attacker: Somebody) => {
    while (going) {
      const reference = server.references[calls++ % 5] ?? "";
      const { status } = await order(server, attacker, { provider, reference, key: `${calls}` });
      // A person and a route: 240 a minute.
      if (status === 429) await sleep(100);
    }
  };
  const flood = buyer(server).then((attacker) =>
    Promise.all(Array.from({ length: WORKERS }, () => worker(attacker))),
  );
  return {
    async stop() {
      going = false;
      await flood;
    },
  };
}

type Bought = { readonly openedMs: number; readonly settledMs: number };

/** Orders, again each half second while the provider is busy, and pays. */
async function buy(server: BenchServer, provider: Provider): Promise<Bought> {
  const person = await buyer(server);
  const request = { provider, reference: server.references[0] ?? "", key: "mine" };
  const startedAt = performance.now();
  let answer = await order(server, person, request);
  while (answer.status !== 201 && performance.now() - startedAt < GIVEN_UP_MS) {
    await sleep(500);
    server.goesOn();
    answer = await order(server, person, request);
  }
  const openedAt = performance.now();
  if (answer.status !== 201) return { openedMs: openedAt - startedAt, settledMs: GIVEN_UP_MS };
  const { id } = answer.body;
  assert(server.emulators.collectors[provider].settle(id, "success"), `order ${id} was paid`);
  while ((await seeOrder(server.out, person, id)).status !== "paid") await sleep(20);
  server.goesOn();
  return { openedMs: openedAt - startedAt, settledMs: performance.now() - openedAt };
}
