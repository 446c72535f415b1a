import { removeLeftovers } from "./leftovers.ts";
import { startTestCluster } from "./test-database.ts";

/** One server for the run: the one given by TEST_DATABASE_URL, or an embedded one of our own. */
export async function setup(): Promise<() => Promise<void>> {
  await removeLeftovers();
  if (process.env.TEST_DATABASE_URL) return async () => {};
  const cluster = await startTestCluster();
  process.env.TEST_DATABASE_URL = cluster.url;
  return () => cluster.stop();
}
