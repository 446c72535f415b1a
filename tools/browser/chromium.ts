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

const resolve = createRequire(import.meta.url).resolve;
const PACKAGE = dirname(dirname(resolve("@sparticuz/chromium")));
const { version } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
const CACHE = join(ROOT, "node_modules", ".cache", `chromium-${version}`);

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

/** How to launch the packaged Chromium. Unpacks it into the cache at the first use (1.5 s). */
export async function prepareChromium(letters: Letters = "packaged") {
  if (!existsSync(CACHE)) await unpack();
  // The packaged libraries: those of machines differ.
  const libraries = { LD_LIBRARY_PATH: join(CACHE, "al2023", "lib") };
  const env = { ...ENVIRONMENT, ...useLetters(letters), HOME: CACHE, TMPDIR: CACHE, ...libraries };
  return { executablePath: join(CACHE, "chromium"), args: ARGS, env };
}

async function unpack(): Promise<void> {
  const draft = `${CACHE}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  const before = process.env.TMPDIR;
  // The package always unpacks into the temporary folder.
  process.env.TMPDIR = draft;
  try {
    const { inflate } = await import("@sparticuz/chromium");
    const archives = ["chromium.br", "fonts.tar.br", "swiftshader.tar.br", "al2023.tar.br"];
    await Promise.all(archives.map((archive) => inflate(join(PACKAGE, "bin", archive))));
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  chmodSync(join(draft, "chromium"), 0o755);
  if (existsSync(CACHE)) rmSync(draft, { recursive: true });
  else renameSync(draft, CACHE);
}

/**
 * The fonts that the browser may use: the packaged ones, which are close to an Android phone's, or
 * DejaVu Sans, the widest font of a fresh Debian. It never uses a font of the machine.
 */
export type Letters = "packaged" | "dejavu";

/** The package has more of DejaVu than a fresh Debian installs: these are not offered. */
const NOT_ON_A_FRESH_DEBIAN = ["*Condensed*", "*ExtraLight*", "*Math*", "*Oblique*", "*Serif*"];

/** The packaged fonts: the same on every machine. */
export const fontsFolder = (): string => join(CACHE, "fonts", "fonts");

/** Writes the fontconfig of these letters. → the variables that make a browser read it */
function useLetters(letters: Letters): Record<string, string> {
  const own = join(CACHE, `letters-${letters}`);
  mkdirSync(own, { recursive: true });
  const file = join(own, "fonts.conf");
  const wide = join(dirname(resolve("dejavu-fonts-ttf/package.json")), "ttf");
  // No `<include>`, one `<dir>` and a cache of our own: nothing of the machine is read.
  const lines = [
    `<dir>${escapeXml(letters === "packaged" ? fontsFolder() : wide)}</dir>`,
    `<cachedir>${escapeXml(join(own, "cache"))}</cachedir>`,
    AS_DRAWN,
    ...(letters === "packaged" ? [] : DEJAVU),
  ];
  const head = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">`;
  // Written each time: after a copy or a move of the installation it would name the former folder.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${head}<fontconfig>${lines.join("\n")}</fontconfig>`);
  renameSync(draft, file);
  return { FONTCONFIG_FILE: file, FONTCONFIG_PATH: own };
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
  ...["sans-serif", "system-ui", "serif", "monospace", "ui-monospace"].map((name) => {
    const font = name.endsWith("monospace") ? "DejaVu Sans Mono" : "DejaVu Sans";
    return `<alias><family>${name}</family><prefer><family>${font}</family></prefer></alias>`;
  }),
];

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
