import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

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
