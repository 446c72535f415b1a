// Runs before the first paint, after telegram/before-paint.js. The server inlines both and allows
// them by their hash.
(() => {
  const root = document.documentElement;
  const params = new URLSearchParams(location.hash.slice(1));
  try {
    if (params.get("tgWebAppData")) sessionStorage.setItem("sesame.inside", "1");
    if (params.get("tgWebAppData") || sessionStorage.getItem("sesame.inside")) {
      root.classList.add("inside-telegram");
    }
  } catch {}

  // React starts after the largest paint, or at the first touch.
  let started = false;
  const start = () => {
    if (started) return;
    started = true;
    const [entry, ...imports] = root.dataset.entry.split(" ");
    for (const href of imports) {
      const link = document.createElement("link");
      link.rel = "modulepreload";
      link.href = href;
      document.head.append(link);
    }
    const script = document.createElement("script");
    script.type = "module";
    script.src = entry;
    document.head.append(script);
  };
  addEventListener(
    "click",
    (event) => {
      if (event.target.closest?.("[data-buy]")) window.sesameTapped = true;
      // Inside Telegram a followed link is a page without a back button: React opens the product in place.
      const product = event.target.closest?.("[data-product]")?.dataset.product;
      if (product && root.classList.contains("inside-telegram")) {
        event.preventDefault();
        window.sesameTapped = product;
      }
      start();
    },
    { capture: true, once: true },
  );
  addEventListener("pointerdown", start, { once: true });
  addEventListener("keydown", start, { once: true });
  addEventListener("DOMContentLoaded", () => {
    const image = document.querySelector("picture img");
    // Two frames: the first paints the decoded picture.
    const soon = () => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(start)));
    if (image) image.decode().then(soon, soon);
    else soon();
  });
})();
