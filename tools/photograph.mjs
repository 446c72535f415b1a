import { prepare } from "./launch/prepare.mjs";

await prepare();
const { takePhotographs } = await import("../e2e/photographs.ts");
await takePhotographs(process.argv[2] ?? "");
