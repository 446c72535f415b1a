import { rmSync } from "node:fs";
import { cpus } from "node:os";
import { inspect } from "node:util";
import { startEmbeddedPostgres } from "../tools/postgres/embedded.ts";
import { ownFolder } from "../tools/postgres/leftovers.ts";
import { createTestDatabase } from "../tools/postgres/test-database.ts";
import { type Place, print, type Row, formatRow } from "./figures.ts";

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
 * false when a bench failed, or stood still and kept the others from running
 */
export async function bench(only = ""): Promise<boolean> {
  const folder = ownFolder("bench");
  const cluster = await startEmbeddedPostgres({ dataDir: folder });
  // Benches make their databases as tests do.
  process.env["TEST_DATABASE_URL"] = cluster.adminUrl;
  print(`${cpus().length} cores, Node ${process.versions.node}`);
  let behind: Promise<string> | undefined;
  let whole = true;
  try {
    for (const [name, load] of Object.entries(BENCHES)) {
      if (!name.includes(only)) continue;
      print(`\n${name} (from ${Math.round(performance.now() / 1_000)} s)`);
      try {
        await endAtStandstill(async (goesOn) => {
          const { run } = await load();
          const say = (...rows: readonly Row[]) => {
            goesOn();
            for (const row of rows) print(formatRow(row));
          };
          const fresh = async () => (await createTestDatabase()).url;
          return run({ say, fresh, behind: () => (behind ??= fillBehind({ fresh, say })) });
        });
      } catch (error) {
        whole = false;
        print(`\n${name}: ${error instanceof Standstill ? error.message : inspect(error)}`);
        // A bench that stands still has not ended, and would slow the others.
        if (error instanceof Standstill) break;
      }
    }
    print(`\n${Math.round(performance.now() / 1_000)} s in all`);
    return whole;
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
    rmSync(cluster.dataDir, { recursive: true, force: true });
  }
}

async function fillBehind({ fresh, say }: Omit<Place, "behind">): Promise<string> {
  const url = await fresh();
  const { fillPayments } = await import("./statistics.bench.ts");
  await fillPayments(url, PAYMENTS, say);
  return url;
}

const STANDSTILL_MS = 60_000;

class Standstill extends Error {}

/** Ends when the work ends, or with an error when the work has not called `goesOn` for a minute. */
export async function endAtStandstill(work: (goesOn: () => void) => Promise<void>): Promise<void> {
  const still = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => still.reject(new Standstill("no progress for a minute")),
    STANDSTILL_MS,
  );
  try {
    await Promise.race([work(() => timer.refresh()), still.promise]);
  } finally {
    clearTimeout(timer);
  }
}
