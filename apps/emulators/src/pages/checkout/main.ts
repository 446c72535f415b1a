import type { CheckoutView } from "../../wire.ts";
import { notifyOpener } from "../fedapay/widget.ts";
import { actOnCheckout, call, paymentPath } from "../emulators.ts";
import { showCheckout } from "./checkout-page.tsx";
import { checkoutCopy as copy } from "./messages.fr.ts";

/** The address names the provider first and the payment last. */
const [provider = "", ...rest] = location.pathname.split("/").filter(Boolean);
/** The inside of FedaPay's widget. */
const isFrame = rest.join("/") === "frame";
const notify = (about: "opened" | "complete", { reported = {} }: CheckoutView) =>
  notifyOpener({ about, transaction: reported });

async function open(): Promise<CheckoutView> {
  if (!isFrame) return call(paymentPath(provider, rest.at(-1) ?? ""));
  const checkout = await call<CheckoutView>(`/emulators/fedapay/widget${location.search}`);
  notify("opened", checkout);
  return checkout;
}

/** In a frame of the merchant's page there is no way back to follow. */
function leave(checkout: CheckoutView): void {
  if (isFrame) notify("complete", checkout);
  else if (checkout.returnUrl !== null) location.assign(checkout.returnUrl);
}

showCheckout(provider, {
  opened: open(),
  async act(checkout, action) {
    const next = await actOnCheckout(checkout, action);
    if (next.status !== "failed") leave(next);
    return next;
  },
  waiting: copy.loading,
  refused: () => (isFrame ? copy.refusedWidget : copy.unknown),
  leave: (checkout) =>
    checkout !== null && (isFrame || checkout.returnUrl !== null) ? () => leave(checkout) : null,
});
