import type { ClosedInvoice } from "../phone/ui-state.ts";
import type { Change } from "./app-state.ts";
import { miniAppCopy } from "./copy.fr.ts";
import { type Fields, fieldsOf, text } from "./fields.ts";
import type { BridgeContext } from "./handlers.ts";

type Question = { message: string; yes: string; no: string };

function ask(change: Change, question: Question, onAnswer: (yes: boolean) => void): void {
  change({
    popup: {
      title: undefined,
      message: question.message,
      buttons: [
        { id: "no", text: question.no, tone: "default" },
        { id: "yes", text: question.yes, tone: "default" },
      ],
      onChoice: (id) => {
        change({ popup: null });
        onAnswer(id === "yes");
      },
    },
  });
}

export function askWriteAccess({ phone, launch, post, change }: BridgeContext): void {
  const copy = miniAppCopy.write;
  const words = { message: copy.message(launch.botName), yes: copy.allow, no: copy.refuse };
  ask(change, words, (allowed) => {
    void phone.act("allowWrite", { bot: launch.bot, allowed }).then((answer) => {
      const done = answer !== null && allowed;
      post("write_access_requested", { status: done ? "allowed" : "cancelled" });
    });
  });
}

export function askPhone({ launch, post, change }: BridgeContext): void {
  const copy = miniAppCopy.phone;
  const words = { message: copy.message(launch.botName), yes: copy.share, no: copy.refuse };
  ask(change, words, (sent) => post("phone_requested", { status: sent ? "sent" : "cancelled" }));
}

export function invokeCustomMethod(context: BridgeContext, data: Fields): void {
  const { phone, launch, post } = context;
  const takes = {
    bot: launch.bot,
    method: text(data, "method") ?? "",
    params: fieldsOf(data.params),
  };
  void phone.act("customMethod", takes).then((answer) => {
    const outcome = answer?.gives ?? { error: "UNKNOWN_ERROR" };
    post("custom_method_invoked", { req_id: data.req_id, ...outcome });
  });
}

export function sendPrepared({ phone, launch, post }: BridgeContext, data: Fields): void {
  const prepared = {
    bot: launch.bot,
    id: text(data, "id") ?? "",
    answer: (error: string | null) =>
      error === null ? post("prepared_message_sent") : post("prepared_message_failed", { error }),
  };
  phone.dispatch({ type: "sheet", sheet: { kind: "share", text: "", prepared } });
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
