import { prepare } from "./launch/prepare.mjs";

await prepare();
const { runChecks } = await import("./testing/checks.ts");
const { failed } = await runChecks();
process.exit(failed === 0 ? 0 : 1);
