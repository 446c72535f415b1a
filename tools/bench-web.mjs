import { prepare } from "./launch/prepare.mjs";

await prepare();
const { benchWeb } = await import("../bench/web/bench.ts");
await benchWeb(process.argv.slice(2));
