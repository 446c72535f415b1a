import { prepare } from "./launch/prepare.mjs";

await prepare();
const { rotateKeysCommand } = await import("./rotate-keys/command.ts");
try {
  process.exitCode = await rotateKeysCommand(process.env);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
