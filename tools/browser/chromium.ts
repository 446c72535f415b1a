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
 * Not the arguments of the package: those disable web security, and the journeys must meet frames,
 * policies and origins as a real browser applies them. No proxy of the machine is used, and
 * `localhost` is the tests' servers, whatever the machine resolves.
 */
const ARGS = [
  "--no-sandbox",
  "--no-zygote",
  "--disable-gpu",
  "--font-render-hinting=none",
  "--no-proxy-server",
  "--host-resolver-rules=MAP localhost 127.0.0.1",
];

/** The whole environment of the browser: nothing of the machine's is passed on. */
const ENVIRONMENT = { LANG: "C.UTF-8", TZ: "Africa/Abidjan", PATH: "/usr/bin:/bin" };

/** Unpacks Chromium into the cache at the first use (1.5 s). */
export async function prepareChromium(letters: Letters = "packaged"): Promise<Browser> {
  const folder = cacheFolder();
  if (!existsSync(folder)) await unpack(folder);
  const executablePath = join(folder, "chromium");
  const fonts = useLetters(letters, folder);
  const bare = { ...ENVIRONMENT, ...fonts, HOME: folder, TMPDIR: folder };
  const packaged: Record<string, string> = { LD_LIBRARY_PATH: join(folder, "al2023", "lib") };
  // The packaged libraries first: those of machines differ.
  for (const libraries of [packaged, {}]) {
    const env = { ...bare, ...libraries };
    const tried = spawnSync(executablePath, ["--version", "--no-sandbox"], { env });
    if (tried.status === 0) return { executablePath, args: ARGS, env };
  }
  throw new Error(`Chromium does not run on this machine: ${executablePath}`);
}

/** The packaged fonts: the same on every machine. */
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
  // The package always unpacks into the temporary folder.
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
 * The fonts that the browser may use: the packaged ones, which are close to an Android phone's, or
 * DejaVu Sans, the widest font of a fresh Debian. It never uses a font of the machine.
 */
export type Letters = "packaged" | "dejavu";

/** The package has more of DejaVu than a fresh Debian installs: these are not offered. */
const NOT_ON_A_FRESH_DEBIAN = ["*Condensed*", "*ExtraLight*", "*Math*", "*Oblique*", "*Serif*"];

/** Writes the fontconfig of these letters. → the variables that make a browser read it */
export function useLetters(letters: Letters, cacheFolder: string): Record<string, string> {
  const own = join(cacheFolder, `letters-${letters}`);
  mkdirSync(own, { recursive: true });
  const file = join(own, "fonts.conf");
  // Written each time: after a copy or a move of the installation it would name the former folder.
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

/** No `<include>`, one `<dir>` and a cache of our own: nothing of the machine is read. */
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

/** Without hints, which would round the width of each letter to whole pixels. */
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
