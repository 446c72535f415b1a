import { prepare } from "./launch/prepare.mjs";

await prepare();
const { runSuites } = await import("./testing/suites.ts");
process.exit(await runSuites(process.argv.slice(2), process.env));
