import { prepare } from "./launch/prepare.mjs";

await prepare();
const { runChecks } = await import("./testing/checks.ts");
const { failures } = await runChecks();
process.exit(failures.length === 0 ? 0 : 1);
