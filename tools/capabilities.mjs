import { prepare } from "./launch/prepare.mjs";

await prepare();
const { capabilitiesCommand } = await import("./docs/command.ts");
process.exit(capabilitiesCommand() ? 0 : 1);
