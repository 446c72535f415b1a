import { prepare } from "./launch/prepare.mjs";

await prepare();
const { jobsCommand } = await import("./jobs/command.ts");
try {
  process.exitCode = await jobsCommand(process.argv.slice(2), process.env);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
