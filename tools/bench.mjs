import { prepare } from "./launch/prepare.mjs";

await prepare();
const args = process.argv.slice(2);
const at = args.indexOf("--against");
const [against] = at === -1 ? [] : args.splice(at, 2).slice(1);
const [only] = args;
if (at === -1) {
  const { bench } = await import("../bench/run.ts");
  process.exit((await bench(only)) ? 0 : 1);
} else if (against === undefined) {
  console.error("Against which commit? npm run bench -- [NAME] --against COMMIT");
  process.exit(1);
} else {
  const { benchAgainst } = await import("./bench/against.ts");
  process.exit(benchAgainst(against, only));
}
