import { prepare } from "./launch/prepare.mjs";

await prepare();
const { runLong } = await import("./testing/long.ts");
process.exit(await runLong(process.argv.slice(2), process.env));
