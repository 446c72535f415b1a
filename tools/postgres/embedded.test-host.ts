import { startEmbeddedPostgres } from "./embedded.ts";

/** The program the supervisor's tests kill. */
const { url } = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? "" });
process.stdout.write(`${url}\n`);
setInterval(() => {}, 1_000);
