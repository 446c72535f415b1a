import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { migrate } from "../../database/migrate.ts";
import { ROOT } from "../launch/build.ts";
import { startTestCluster } from "../postgres/test-database.ts";
import { dumpSchema } from "./dump.ts";

const FILE = join(ROOT, "database", "schema.sql");

/** `npm run schema`: writes database/schema.sql; with `--check`, says whether it is up to date. */
export async function schemaCommand(args: string[]): Promise<boolean> {
  const cluster = await startTestCluster();
  try {
    await migrate(cluster.url);
    const client = new pg.Client({ connectionString: cluster.url });
    await client.connect();
    const schema = await dumpSchema(client);
    await client.end();
    if (!args.includes("--check")) {
      writeFileSync(FILE, schema);
      console.log("database/schema.sql written");
      return true;
    }
    const same = readFileSync(FILE, "utf8") === schema;
    console.log(same ? "database/schema.sql is up to date" : "database/schema.sql is out of date");
    return same;
  } finally {
    await cluster.stop();
  }
}
