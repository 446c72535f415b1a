export const DOCS_CSS = `:root{color-scheme:light dark;--text:#1c1c1e;--bg:#fff;--quiet:#5c5c66;
--line:#d9d9e0;--soft:#f3f3f7;--link:#0a58b5}
@media (prefers-color-scheme:dark){:root{--text:#f2f2f7;--bg:#17181c;--quiet:#a9a9b4;--line:#3a3a44;
--soft:#22232a;--link:#7db4ff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:52rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;color:var(--text);
background:var(--bg);overflow-wrap:anywhere}
a{color:var(--link)}
h1{font-size:1.5rem;margin:.5rem 0}
h2{font-size:1.25rem;margin:2rem 0 .5rem;border-bottom:1px solid var(--line)}
h3{font-size:1rem;margin:0}
h4{font-size:.875rem;margin:.5rem 0 0}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;padding:0}
nav a{display:inline-block;padding:.625rem 0;min-height:2.75rem}
article{border:1px solid var(--line);border-radius:.75rem;padding:.75rem 1rem;margin:.75rem 0}
article p{margin:.25rem 0}
.method{display:inline-block;min-width:4rem;font-weight:700}
.proof,.type{color:var(--quiet);font-size:.875rem}
code{font:.9em ui-monospace,monospace;background:var(--soft);padding:.05rem .25rem;border-radius:.25rem}
.part{font-size:1.0625rem;margin:1.5rem 0 .25rem}
pre{overflow-x:auto;padding:.75rem;border-radius:.75rem;background:var(--soft);overflow-wrap:normal}
pre code{padding:0;white-space:pre;font-size:.8125rem}
details{border-top:1px solid var(--line)}
summary{cursor:pointer;font-weight:600;font-size:.875rem;padding:.75rem 0}
.fields{margin:.25rem 0;padding-left:1.25rem;font-size:.875rem}`;
