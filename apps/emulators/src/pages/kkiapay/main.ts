import type { CheckoutAction, CheckoutView } from "../../wire.ts";
import { showCheckout } from "../checkout/checkout-page.tsx";
import { actOnCheckout, call, EmulatorRefusal } from "../emulators.ts";
import { kkiapayCopy as copy } from "../widgets.fr.ts";

/** What a page hands over to open the widget. */
type Config = Record<string, unknown>;

/** The page that opened the widget, and hears of it. */
type PageAround = { config: Config; say(name: string, data?: unknown): void };

// Before anything is drawn: the page around sends its message as soon as this page is loaded.
const opener = new Promise<PageAround>((resolve) => {
  addEventListener("message", (event: MessageEvent<{ name?: unknown; data?: Config }>) => {
    const { data: message, origin } = event;
    if (event.source !== window.parent || message?.name !== "INIT_WIDGET") return;
    resolve({
      config: message.data ?? {},
      say: (name, data = {}) => window.parent.postMessage({ name, data }, origin),
    });
  });
});
const say = async (name: string, data?: unknown) => (await opener).say(name, data);

const SAYS: Record<CheckoutAction["action"], string> = {
  success: "PAYMENT_SUCCESS",
  fail: "PAYMENT_FAILED",
  pending: "PENDING_PAYMENT",
  cancel: "PAYMENT_ABORTED",
};

const opened = opener.then(({ config }) =>
  call<CheckoutView>("/emulators/kkiapay/openings", config),
);
const notifyOpened = () => say("WIDGET_SUCCESSFULLY_INIT");
opened.then(notifyOpened, notifyOpened);

/** The page in the widget's frame gets the payment from the page around it. */
showCheckout("kkiapay", {
  opened,
  async act(checkout, action) {
    await say("PAYMENT_INIT", checkout.reported);
    const next = await actOnCheckout(checkout, action);
    await say(SAYS[action.action], next.reported);
    if (next.over) await say("PAYMENT_END", next.reported);
    if (action.action === "cancel") await say("CLOSE_WIDGET");
    return next;
  },
  waiting: window.parent === window ? copy.alone : copy.waiting,
  refused(reason) {
    const known = reason instanceof EmulatorRefusal && Object.hasOwn(copy.refused, reason.message);
    return known ? copy.refused[reason.message as keyof typeof copy.refused] : copy.noAnswer;
  },
  leave: () => () => void say("CLOSE_WIDGET"),
  retried: () => void say("RETRY_PAYMENT"),
});
