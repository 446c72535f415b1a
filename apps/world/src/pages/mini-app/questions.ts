import type { ClosedInvoice } from "../phone/ui-state.ts";
import { miniAppCopy } from "./copy.fr.ts";
import { type Fields, text } from "./fields.ts";
import type { BridgeContext } from "./handlers.ts";

export function askWriteAccess({ phone, launch, post, change }: BridgeContext): void {
  const copy = miniAppCopy.write;
  const answered = (allowed: boolean) => {
    void phone.act("allowWrite", { bot: launch.bot, allowed }).then((answer) => {
      const done = answer !== null && allowed;
      post("write_access_requested", { status: done ? "allowed" : "cancelled" });
    });
  };
  change({
    popup: {
      message: copy.message(launch.botName),
      buttons: [
        { id: "no", text: copy.refuse, tone: "default" },
        { id: "yes", text: copy.allow, tone: "default" },
      ],
      onChoice: (id) => {
        change({ popup: null });
        answered(id === "yes");
      },
    },
  });
}

/** The invoice's sheet over the app; whatever becomes of it, the app is told once. */
export function openInvoice({ phone, post }: BridgeContext, data: Fields): void {
  const slug = text(data, "slug") ?? "";
  const closed = (status: ClosedInvoice) => post("invoice_closed", { slug, status });
  // One sheet at a time: the app behind it waits for the first.
  if (phone.ui.sheet?.kind === "invoice") return closed("failed");
  void phone.act("previewInvoice", { link: slug }).then((answer) => {
    if (answer === null) return closed("failed");
    const sheet = { kind: "invoice", invoice: answer.gives, onClosed: closed } as const;
    phone.dispatch({ type: "sheet", sheet });
  });
}
