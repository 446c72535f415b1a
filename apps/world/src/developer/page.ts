import { developerCopy as copy } from "./copy.fr.ts";
import type { Hook, Received } from "./developer.ts";

/** What arrived, newest first: no script, nothing from elsewhere. */
export function developerPage(name: string, hook: Hook): string {
  const path = `/developer/hooks/${encodeURIComponent(name)}`;
  const items = hook.received.toReversed().map(itemOf).join("");
  return `<!doctype html><html lang="fr"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="10">
<title>${escape(copy.title(name))}</title><style>${CSS}</style></head><body>
<h1>${escape(copy.title(name))}</h1><p>${escape(copy.intro)} <code>${escape(path)}</code></p>
<form method="post" action="/developer/${encodeURIComponent(name)}/secret">
<label>${escape(copy.secret)}<input name="secret" autocomplete="off"></label>
<button>${escape(copy.save)}</button></form>
${hook.secret === null ? "" : `<p>${escape(copy.known)}</p>`}
${items === "" ? `<p>${escape(copy.none)}</p>` : `<ol reversed>${items}</ol>`}</body></html>`;
}

function itemOf({ type, id, at, body, checked }: Received): string {
  const said = checked === null ? copy.unchecked : copy.checked[checked];
  return `<li><b>${escape(type)}</b> ${escape(said)}<br><small>${escape(at)} ${escape(id)}</small>
<pre>${escape(body)}</pre></li>`;
}

const CSS =
  "body{font:16px/1.5 system-ui;max-width:44rem;margin:auto;padding:1rem}" +
  "pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:13px}" +
  "label,input,button{display:block;width:100%;box-sizing:border-box;font:inherit;margin:.25rem 0}";

function escape(text: string): string {
  const signs: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replaceAll(/[&<>"]/g, (sign) => signs[sign] ?? sign);
}
