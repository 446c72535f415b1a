import { startEmbeddedPostgres } from "./embedded.ts";

/** The program the supervisor's tests kill. */
const [dataDir = "", how] = process.argv.slice(2);
const { url } = await startEmbeddedPostgres({ dataDir, share: how === "share" });
process.stdout.write(`${url}\n`);
setInterval(() => {}, 1_000);
