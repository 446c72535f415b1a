import { removeLeftovers } from "./leftovers.ts";
import { startTestCluster } from "./test-database.ts";

/** One server for the run: that of TEST_DATABASE_URL, or an embedded one. */
export async function setup(): Promise<() => Promise<void>> {
  await removeLeftovers();
  if (process.env.TEST_DATABASE_URL) return async () => {};
  const cluster = await startTestCluster();
  process.env.TEST_DATABASE_URL = cluster.url;
  return () => cluster.stop();
}
