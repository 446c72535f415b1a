import { cpus } from "node:os";
import { inspect } from "node:util";
import { ownFolder } from "../tools/postgres/leftovers.ts";
import { createTestDatabase, openCluster } from "../tools/postgres/test-database.ts";
import { type Place, print } from "./figures.ts";

type Bench = { run(place: Place): Promise<void> };

/** In the order in which they run. The command may give a part of a name. */
const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  "P1 and P2: the ledger alone": () => import("./ledger.bench.ts"),
  "P1 and P2: the whole payment": () => import("./settle.bench.ts"),
  "P3: webhooks over HTTP": () => import("./webhooks.bench.ts"),
  "P3: what the providers allow": () => import("./provider-limits.bench.ts"),
  "P8: commit to socket": () => import("./realtime.bench.ts"),
  "P9: Telegram": () => import("./telegram.bench.ts"),
  "R5: withdrawal requests": () => import("./withdrawals.bench.ts"),
  "P7: statistics": () => import("./statistics.bench.ts"),
  "P6: the sweep of memberships": () => import("./sweep.bench.ts"),
  "P5: the seller's start": () => import("./seller-start.bench.ts"),
  "P4: a product's page": () => import("./product-read.bench.ts"),
  "routes: CPU of what strangers can call": () => import("./routes.bench.ts"),
};

/** Five million unless `BENCH_PAYMENTS` says fewer. */
const PAYMENTS = Number(process.env["BENCH_PAYMENTS"] ?? 5_000_000);

/**
 * Runs each bench on a new database of a durable cluster (one commit is one flush) and prints
 * figures and aims as soon as they are known. Only ratios within this run count: machines differ. →
 * false when a bench failed
 */
export async function bench(only = ""): Promise<boolean> {
  const close = await openCluster(ownFolder("bench"), true);
  print(`${cpus().length} cores, Node ${process.versions.node}`);
  let behind: Promise<string> | undefined;
  let whole = true;
  try {
    for (const [name, load] of Object.entries(BENCHES)) {
      if (!name.includes(only)) continue;
      print(`\n${name} (from ${Math.round(performance.now() / 1_000)} s)`);
      try {
        const { run } = await load();
        const fresh = async () => (await createTestDatabase()).url;
        await run({ fresh, behind: () => (behind ??= fillBehind(fresh)) });
      } catch (error) {
        whole = false;
        print(`\n${name}: ${inspect(error)}`);
      }
    }
    print(`\n${Math.round(performance.now() / 1_000)} s in all`);
    return whole;
  } finally {
    await close();
  }
}

async function fillBehind(fresh: Place["fresh"]): Promise<string> {
  const url = await fresh();
  const { fillPayments } = await import("./statistics.bench.ts");
  await fillPayments(url, PAYMENTS);
  return url;
}
