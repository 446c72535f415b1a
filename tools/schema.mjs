import { prepare } from "./launch/prepare.mjs";

await prepare();
const { schemaCommand } = await import("./schema/command.ts");
process.exit((await schemaCommand(process.argv.slice(2))) ? 0 : 1);
