import { StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import "../base.css";
import { CheckoutPage } from "./checkout-page.tsx";
import { readFrameOptions, tellOpener } from "../fedapay/frame.ts";
import { openFedapayWidget } from "../world/api.ts";
import css from "./checkout.module.css";
import { checkoutCopy as copy } from "./copy.fr.ts";

/** The inside of FedaPay's widget: makes the payment, or finds it, then shows its page. */
function FedapayFrame() {
  const [token, setToken] = useState<string | null>();
  useEffect(() => {
    const options = readFrameOptions(location.hash);
    const opened = options === null ? Promise.reject() : openFedapayWidget(options);
    opened.then(
      (answer) => {
        setToken(answer.token);
        tellOpener({ about: "opened", transaction: answer.transaction });
      },
      () => setToken(null),
    );
  }, []);
  if (typeof token === "string") {
    return (
      <CheckoutPage
        payment={{ provider: "fedapay", token }}
        onDone={(checkout) => tellOpener({ about: "complete", transaction: checkout.told ?? {} })}
      />
    );
  }
  return (
    <main className={css.page}>
      <p className={css.simulated}>{copy.simulated}</p>
      <p className={css.quiet}>{token === null ? copy.refusedWidget : copy.loading}</p>
    </main>
  );
}

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no #root");

const dark = matchMedia("(prefers-color-scheme: dark)").matches;
document.documentElement.dataset.theme = dark ? "dark" : "light";

/** The address names the provider first and the payment last. */
function Page() {
  const [provider = "", ...rest] = location.pathname.split("/").filter(Boolean);
  if (rest.join("/") === "frame") return <FedapayFrame />;
  return <CheckoutPage payment={{ provider, token: decodeURIComponent(rest.at(-1) ?? "") }} />;
}

createRoot(root).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
