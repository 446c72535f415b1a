import { prepare } from "./launch/prepare.mjs";

await prepare();
const { bench } = await import("../bench/run.ts");
await bench(process.argv[2]);
