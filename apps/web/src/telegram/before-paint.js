// Telegram's theme, made legible, before the first paint. Runs inline: no import, no dependency.
(() => {
  // Decision 52: no address of ours carries a key; one that does is rid of it before anything reads
  // the address, or passes it on.
  const here = new URL(location.href);
  if (here.searchParams.has("key")) {
    here.searchParams.delete("key");
    history.replaceState(history.state, "", here);
  }

  const KEY = "sesame.theme";
  const root = document.documentElement;

  const channels = (hex) => {
    const long = /^#[0-9a-f]{3}$/i.test(hex) ? hex.replace(/[0-9a-f]/gi, "$&$&") : hex;
    if (!/^#[0-9a-f]{6}$/i.test(long)) return null;
    return [1, 3, 5].map((at) => Number.parseInt(long.slice(at, at + 2), 16));
  };
  const hex = (rgb) => `#${rgb.map((c) => Math.round(c).toString(16).padStart(2, "0")).join("")}`;
  const mix = (a, b, part) => a.map((c, at) => c + (b[at] - c) * part);
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((c) => {
      const s = c / 255;
      return s <= 0.03928 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  // Themes are chosen by people and clients; WCAG AA is kept whatever they chose.
  // `tint`: the share of itself a colour may stand on (the soft grounds of kit/tokens.css).
  const legible = (color, grounds, { toward, tint = 0 }) => {
    for (let part = 0; part < 1; part += 0.05) {
      const tried = mix(color, toward, part);
      const stands = (ground) =>
        contrast(tried, ground) >= 4.6 && contrast(tried, mix(ground, tried, tint)) >= 4.6;
      if (grounds.every(stands)) return tried;
    }
    return toward;
  };

  const paint = (theme) => {
    const pick = (...names) => names.map((name) => channels(theme[name] ?? "")).find(Boolean);
    const surface = pick("section_bg_color", "bg_color");
    if (!surface) return;
    const dark = luminance(surface) < 0.25;
    const ink = dark ? [255, 255, 255] : [0, 0, 0];
    const bg = pick("secondary_bg_color", "bg_color") ?? surface;
    const plain = [bg, surface];
    const text = legible(pick("text_color") ?? ink, plain, { toward: ink });
    const grounds = [...plain, ...plain.map((ground) => mix(ground, text, 0.07))];
    const link = pick("link_color", "accent_text_color", "button_color") ?? text;
    const button = pick("button_color", "link_color") ?? link;
    const white = [255, 255, 255];
    const onButton = pick("button_text_color") ?? white;
    const deepen = luminance(onButton) > luminance(button) ? [0, 0, 0] : white;
    const own = (color) => legible(color, grounds, { toward: ink, tint: 0.14 });
    const accent = own(pick("accent_text_color", "link_color") ?? link);
    const chosen = plain.map((ground) => mix(ground, accent, 0.11));
    const colors = {
      bg,
      surface,
      text,
      hint: legible(pick("hint_color", "subtitle_text_color") ?? text, [...plain, ...chosen], {
        toward: ink,
      }),
      link: own(link),
      accent,
      button: legible(button, [onButton], { toward: deepen }),
      "button-text": onButton,
      danger: own(pick("destructive_text_color") ?? [208, 58, 58]),
      positive: own(dark ? [99, 209, 130] : [21, 108, 52]),
      warning: own(dark ? [240, 189, 92] : [138, 87, 0]),
      header: pick("header_bg_color") ?? surface,
      bar: pick("bottom_bar_bg_color", "section_bg_color", "bg_color"),
      separator: mix(surface, text, dark ? 0.1 : 0.11),
    };
    for (const name in colors) root.style.setProperty(`--${name}`, hex(colors[name]));
    root.dataset.scheme = dark ? "dark" : "light";
  };

  window.sesamePaint = (theme) => {
    paint(theme);
    try {
      sessionStorage.setItem(KEY, JSON.stringify(theme));
    } catch {}
  };

  try {
    const given = new URLSearchParams(location.hash.slice(1)).get("tgWebAppThemeParams");
    const kept = given ?? sessionStorage.getItem(KEY);
    if (kept) window.sesamePaint(JSON.parse(kept));
  } catch {}
})();
