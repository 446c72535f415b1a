import { prepare } from "./launch/prepare.mjs";

await prepare();
const { raiseVersion } = await import("../database/schema.ts");
const raised = await raiseVersion();
console.log(raised ? "database/version.json raised" : "database/version.json is up to date");
