import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migrate } from "../database/migrate.ts";
import { startEmbeddedPostgres } from "../tools/postgres/embedded.ts";
import type { Row } from "./ledger.bench.ts";

type Bench = { readonly name: string; run(place: { url: string; root: string }): Promise<Row[]> };

const BENCHES: readonly Bench[] = [
  {
    name: "P1 and P2: the ledger alone",
    run: async ({ url }) => (await import("./ledger.bench.ts")).run({ url, seconds: 0.5 }),
  },
  {
    name: "P1 and P2: the whole payment",
    run: async ({ url }) => (await import("./settle.bench.ts")).run({ url }),
  },
  {
    name: "P3: notices over HTTP",
    run: async ({ url }) => (await import("./notices.bench.ts")).run({ url }),
  },
  {
    name: "R5: withdrawal requests",
    run: async ({ url }) => (await import("./withdrawals.bench.ts")).run({ url }),
  },
  {
    name: "P7: statistics",
    // Five million unless `BENCH_PAYMENTS` says fewer.
    run: async ({ url }) =>
      (await import("./statistics.bench.ts")).run({
        url,
        payments: Number(process.env["BENCH_PAYMENTS"] ?? 5_000_000),
      }),
  },
  {
    name: "P5: the seller's start",
    async run({ root }) {
      process.env["TEST_DATABASE_URL"] = root;
      return (await import("./seller-start.bench.ts")).run({ seconds: 0.5 });
    },
  },
  {
    name: "P4: a product's page",
    async run({ root }) {
      process.env["TEST_DATABASE_URL"] = root;
      return (await import("./product-read.bench.ts")).run({ seconds: 0.5 });
    },
  },
  {
    name: "routes: CPU of what strangers can call",
    async run({ root }) {
      process.env["TEST_DATABASE_URL"] = root;
      return (await import("./routes.bench.ts")).run();
    },
  },
];

/**
 * Measures on a durable database of its own (one commit is one flush), each bench on a fresh one,
 * and prints figures beside their aims. Ratios inside this run are what counts: machines differ.
 */
export async function bench(only?: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "sesame-bench-"));
  chmodSync(folder, 0o755);
  const cluster = await startEmbeddedPostgres({ dataDir: folder });
  process.stdout.write(`${cpus().length} cores, Node ${process.versions.node}\n`);
  try {
    for (const { name, run } of BENCHES.filter((one) => !only || one.name.includes(only))) {
      const startedAt = performance.now();
      const url = await freshDatabase(cluster.adminUrl);
      const rows = await run({ url, root: cluster.url });
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      process.stdout.write(`\n${name} (${seconds} s)\n${rows.map(sayRow).join("\n")}\n`);
    }
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
    rmSync(cluster.dataDir, { recursive: true, force: true });
  }
}

async function freshDatabase(root: string): Promise<string> {
  const name = `bench_${Date.now().toString(36)}`;
  const client = new pg.Client({ connectionString: root });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(root);
  url.pathname = `/${name}`;
  await migrate(url.href);
  return url.href;
}

function sayRow({ what, figure, unit, aim }: Row): string {
  const number = unit === "per second" ? String(Math.round(figure)) : figure.toFixed(2);
  const line = `  ${what.padEnd(62)} ${number.padStart(9)} ${unit}`;
  if (!aim) return line;
  const kept = "atLeast" in aim ? figure >= aim.atLeast : figure <= aim.atMost;
  const bound = "atLeast" in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`;
  return `${line}   ${kept ? "✓" : "✗"} aim ${bound}`;
}
