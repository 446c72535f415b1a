import { prepare } from "./launch/prepare.mjs";

await prepare();
const { capabilitiesCommand } = await import("./docs/command.ts");
process.exit(capabilitiesCommand(process.argv[2]) ? 0 : 1);
