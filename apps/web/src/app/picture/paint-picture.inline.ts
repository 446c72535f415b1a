import { afterPaint } from "../../lib/after-paint.ts";
import { paintPicture } from "./paint-picture.ts";

export type ApplicationFiles = {
  readonly entry: string;
  /** What the entry imports: fetched in parallel with it, not after it. */
  readonly imports: readonly string[];
  readonly styles: readonly string[];
};

// Filled in while the pages are built (home-picture.ts).
declare const PICTURE: string;
declare const FILES: ApplicationFiles;

const load = () => loadApplication(FILES);
if (isPainted()) afterPaint(load);
else load();

function isPainted(): boolean {
  try {
    return paintPicture(PICTURE);
  } catch {
    // The application paints it.
    return false;
  }
}

/**
 * Requested here and not by elements of the page: a browser requests those first, six at a time, so that the
 * seller's start (telegram/ask-start.js) waits for half of them.
 */
function loadApplication({ entry, imports, styles }: ApplicationFiles): void {
  for (const name of imports) add("link", { rel: "modulepreload", href: name });
  add("script", { type: "module", src: entry });
  // The page has these styles inline: by the links, screens loaded later find that the styles are there.
  for (const href of styles) add("link", { rel: "stylesheet", href, disabled: "" });
}

function add(tag: "link" | "script", attributes: Readonly<Record<string, string>>): void {
  const element = document.createElement(tag);
  element.crossOrigin = "";
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  document.head.append(element);
}
