// Light or dark as Telegram is, before the first paint. Runs inline: no import, no dependency.
(() => {
  // Decision 52: no address of ours has a key; a key is removed before anything reads the address or
  // passes it on.
  const here = new URL(location.href);
  if (here.searchParams.has("key")) {
    here.searchParams.delete("key");
    history.replaceState(history.state, "", here);
  }

  const KEY = "sesame.scheme";
  const { dataset } = document.documentElement;

  // The colours are ours (kit/tokens.css): of Telegram's theme only light or dark is used.
  window.sesamePaint = (theme) => {
    const ground = `${theme?.section_bg_color ?? theme?.bg_color}`;
    const long = /^#[0-9a-f]{3}$/i.test(ground) ? ground.replace(/[0-9a-f]/gi, "$&$&") : ground;
    if (!/^#[0-9a-f]{6}$/i.test(long)) return;
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(long.slice(at, at + 2), 16));
    dataset.scheme = red * 0.3 + green * 0.59 + blue * 0.11 < 128 ? "dark" : "light";
    try {
      sessionStorage.setItem(KEY, dataset.scheme);
    } catch {}
  };

  try {
    const given = new URLSearchParams(location.hash.slice(1)).get("tgWebAppThemeParams");
    const kept = sessionStorage.getItem(KEY);
    if (kept) dataset.scheme = kept;
    if (given) window.sesamePaint(JSON.parse(given));
  } catch {}
})();
