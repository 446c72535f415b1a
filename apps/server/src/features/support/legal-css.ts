/** Of a page without a script: the colours of the app outside Telegram. */
export const LEGAL_CSS = `:root{color-scheme:light dark;--text:#1c1c1e;--bg:#efeff4;--card:#fff;
--quiet:#5c5c66;--link:#0a58b5}
@media (prefers-color-scheme:dark){:root{--text:#f2f2f7;--bg:#111215;--card:#1d1e23;--quiet:#a9a9b4;
--link:#7db4ff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:42rem;padding:1.25rem 1rem 2rem;font:1rem/1.55 system-ui,sans-serif;
color:var(--text);background:var(--bg);overflow-wrap:anywhere}
header p{margin:0;color:var(--quiet)}
h1{font-size:1.75rem;line-height:1.2;margin:.25rem 0 .5rem}
section{background:var(--card);border-radius:.875rem;padding:.875rem 1rem;margin:1rem 0}
h2{font-size:1.0625rem;margin:0 0 .5rem}
ul{margin:0;padding-left:1.125rem}
li+li{margin-top:.5rem}
a{color:var(--link)}
.links{list-style:none;padding:0}
.links li+li{margin-top:0}
.links a{display:inline-flex;align-items:center;min-height:2.75rem}
footer .links{display:flex;flex-wrap:wrap;gap:0 1.25rem}
`;
