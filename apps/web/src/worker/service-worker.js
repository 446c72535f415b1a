// The sellers' second opening: the shell and its files from the phone, so that what it knows is
// painted before the network answers, and without it. What only the server knows is never kept: no
// call, no page of a buyer. The build fills in what stands in capitals between underscores.

const CACHE = "sesame-__VERSION__";
const SOON = __SOON__;
const SHELL_PATHS = __SHELL_PATHS__;
const SHELL = "/";

self.addEventListener("install", (event) => {
  event.waitUntil(fill().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forgetOthers().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (url.pathname.startsWith("/assets/")) event.respondWith(file(request));
  else if (request.mode === "navigate" && isShell(url)) event.respondWith(shell(event));
});

async function fill() {
  const cache = await caches.open(CACHE);
  await keepShell(await fetch(SHELL, { headers: { accept: "text/html" } }));
  await Promise.all(SOON.map((name) => add(cache, name)));
}

/** The addresses of the sellers' screens: a query may make of one a buyer's page. */
function isShell({ pathname, search }) {
  return search === "" && SHELL_PATHS.includes(pathname.split("/")[1].toLowerCase());
}

/** Files carry a hash in their names: what is here is what the server has. */
async function file(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request.url);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request.url, answer.clone());
  return answer;
}

/** The kept one at once; what the network has is for the next opening. */
async function shell(event) {
  const kept = await (await caches.open(CACHE)).match(SHELL);
  const asked = fetch(event.request).then(async (answer) => {
    if (answer.ok) await keepShell(answer.clone());
    return answer;
  });
  event.waitUntil(asked.catch(() => undefined));
  return kept ?? asked;
}

/** A shell is kept once its files are: offline it must find them. */
async function keepShell(answer) {
  if (answer.headers.get("x-sesame-page") !== "shell") return;
  const cache = await caches.open(CACHE);
  const html = await answer.clone().text();
  const names = new Set(html.match(/\/assets\/[\w.-]+/g));
  await Promise.all([...names].map((name) => add(cache, name)));
  await cache.put(SHELL, answer);
}

async function add(cache, name) {
  if (!(await cache.match(name))) await cache.add(name);
}

async function forgetOthers() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("sesame-") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}
