import { useEffect, useState } from "react";
import { readFrameOptions, tellOpener } from "../fedapay/frame.ts";
import { openFedapayWidget } from "../world/api.ts";
import css from "./checkout.module.css";
import { CheckoutPage } from "./checkout-page.tsx";
import { checkoutCopy as copy } from "./copy.fr.ts";

/** The inside of FedaPay's widget: makes the payment, or finds it, then shows its page. */
export function FedapayFrame() {
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
