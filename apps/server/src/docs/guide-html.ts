import { unreachable } from "@sesame/kernel";
import { escapeText } from "../pages/buyer-html.ts";
import type { GuidePart } from "./developers-guide.fr.ts";

/** What is read before the calls of a chapter. */
export function guideHtml(parts: readonly GuidePart[]): string {
  return parts.map(partHtml).join("\n");
}

function partHtml(part: GuidePart): string {
  switch (part.kind) {
    case "title":
      return `<h3 class="part">${escapeText(part.text)}</h3>`;
    case "text":
      return `<p>${escapeText(part.text)}</p>`;
    case "code":
      return `<pre tabindex="0"><code>${escapeText(part.text)}</code></pre>`;
    case "list": {
      const items = part.items.map(
        ([code, text]) => `<li><code>${escapeText(code)}</code> ${escapeText(text)}</li>`,
      );
      return `<ul class="fields">${items.join("")}</ul>`;
    }
    default:
      return unreachable(part);
  }
}
