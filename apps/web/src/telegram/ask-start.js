// The seller's start is asked for while his application is still on its way: on a slow network its
// answer is there when React is (`features/identity/sign-in.ts` takes it). Runs inline, in the
// sellers' page alone.
(() => {
  try {
    const data = new URLSearchParams(location.hash.slice(1)).get("tgWebAppData");
    const said = new URLSearchParams(data ?? "");
    // A person who comes by a share link is a buyer; the back office has its own sign-in.
    if (!data || said.has("start_param") || /^\/bureau/i.test(location.pathname)) return;
    const answer = fetch("/api/auth/vendeur", {
      method: "POST",
      headers: { "content-type": "application/json", "x-telegram-init-data": data },
      body: JSON.stringify({ telegram_id: JSON.parse(said.get("user")).id }),
    });
    answer.catch(() => undefined);
    window.sesameStart = { data, answer };
  } catch {}
})();
