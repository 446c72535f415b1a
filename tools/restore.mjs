import { prepare } from "./launch/prepare.mjs";

await prepare();
const { restoreCommand } = await import("./backup/command.ts");
try {
  await restoreCommand(process.argv.slice(2), process.env);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
