import type { CheckoutView } from "../../wire.ts";
import { notifyOpener } from "../fedapay/widget.ts";
import { actOnCheckout, readCheckout, readFedapayWidget } from "../emulators.ts";
import { showCheckout } from "./checkout-page.tsx";
import { checkoutCopy as copy } from "./messages.fr.ts";

/** The inside of FedaPay's widget. */
async function openFrame(): Promise<CheckoutView> {
  const checkout = await readFedapayWidget(location.search);
  notifyOpener({ about: "opened", transaction: checkout.reported ?? {} });
  return checkout;
}

function goBack({ returnUrl }: CheckoutView): void {
  if (returnUrl === null) return;
  location.assign(returnUrl);
}

/** The address names the provider first and the payment last. */
const [provider = "", ...rest] = location.pathname.split("/").filter(Boolean);
const isFrame = rest.join("/") === "frame";
const token = decodeURIComponent(rest.at(-1) ?? "");

/** In a frame of the merchant's page there is no way back to follow. */
const leave = (checkout: CheckoutView) =>
  isFrame
    ? notifyOpener({ about: "complete", transaction: checkout.reported ?? {} })
    : goBack(checkout);

showCheckout(provider, {
  opened: isFrame ? openFrame() : readCheckout({ provider, token }),
  async act(checkout, action) {
    const next = await actOnCheckout({ provider, token: checkout.id }, action);
    if (next.status !== "failed") leave(next);
    return next;
  },
  waiting: copy.loading,
  refused: () => (isFrame ? copy.refusedWidget : copy.unknown),
  leave: (checkout) =>
    checkout !== null && (isFrame || checkout.returnUrl !== null) ? () => leave(checkout) : null,
});
