import {
  type CheckedWithdrawal,
  type LimitsAnswer,
  REQUEST_BROKE,
  REQUEST_FAILED,
  REQUEST_TIMED_OUT,
  type WithdrawalOnWire,
} from "@sesame/contract/withdrawals";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../lib/api.ts";
import { RequestError, sayError } from "../../lib/request.ts";
import { useUserId } from "../../lib/session.ts";
import { haptic } from "../../telegram/native.ts";
import { type Complaint, checkForm, fieldOf, type RequestForm } from "./limits.ts";
import { type Attempt, beginAttempt, endAttempt, readAttempt } from "./outbox.ts";
import { useRefreshMoney } from "./money.ts";

type Content = Omit<Attempt, "key">;

/** Where a request is: form, confirmation, sending, then sent or nobody knows (B §4). */
export type Step =
  | { readonly at: "form"; readonly complaint: Complaint | null }
  | { readonly at: "confirm"; readonly content: Content }
  | { readonly at: "sending"; readonly content: Content }
  /** Sent and not answered: the only way on is to ask again, or to look at the history. */
  | { readonly at: "silent"; readonly content: Content; readonly message: string }
  | { readonly at: "sent"; readonly demande: WithdrawalOnWire };

/** B §7. */
const REQUEST_TIMEOUT_MS = 30_000;

const FORM: Step = { at: "form", complaint: null };

export type RequestControl = {
  readonly step: Step;
  /** A request of before, confirmed and never answered: offered again. */
  readonly left: Attempt | null;
  /** "Continuer". */
  check(form: RequestForm, limits: LimitsAnswer): void;
  /** "Confirmer": the server checks everything again. */
  confirm(content: Content): void;
  /** Opens what was left unanswered. */
  resume(attempt: Attempt): void;
  back(): void;
  /** Gives up asking again: the history alone tells what became of it. */
  abandon(): void;
  /** Requests sent since the screen is there: a new form for each. */
  readonly sent: number;
  /** What was typed has changed: its complaint is over. */
  forgive(): void;
};

export function useRequest(): RequestControl {
  const sellerId = useUserId();
  const [step, setStep] = useState<Step>(FORM);
  const [left, setLeft] = useState(() => readAttempt(sellerId));
  const [sent, setSent] = useState(0);
  const refresh = useRefreshMoney();
  // The same single request however often it is sent: the attempt carries its key.
  const request = useMutation({
    mutationFn: ({ key, amount, method, phone, whatsapp }: Attempt) =>
      call("POST /api/users/retrait/demande", {
        key,
        withinMs: REQUEST_TIMEOUT_MS,
        body: {
          montant: amount,
          methode_paiement: method,
          numero_transfert: phone,
          numero_whatsapp: whatsapp,
        },
      }),
    // A refusal also tells that what the screen knew is old.
    onSettled: () => void refresh(),
  });

  const forget = () => {
    endAttempt(sellerId);
    setLeft(null);
  };
  const confirm = (content: Content) => {
    if (request.isPending) return;
    const attempt = beginAttempt(sellerId, content);
    setStep({ at: "sending", content });
    request.mutate(attempt, {
      onSuccess: ({ demande }) => {
        forget();
        setSent((count) => count + 1);
        haptic("success");
        setStep(demande ? { at: "sent", demande } : FORM);
      },
      onError: (error) => {
        haptic("error");
        const unknown = sayUnknown(error);
        if (unknown !== null) {
          setLeft(attempt);
          return setStep({ at: "silent", content, message: unknown });
        }
        forget();
        const code = error instanceof RequestError ? error.code : "";
        const complaint = { field: fieldOf(code), message: sayError(error, REQUEST_FAILED) };
        setStep({ at: "form", complaint });
      },
    });
  };

  return {
    step,
    left,
    check(form, limits) {
      const checked = checkForm(form, limits);
      haptic(checked.ok ? "light" : "error");
      setStep(
        checked.ok
          ? { at: "confirm", content: contentOf(checked.value) }
          : { at: "form", complaint: checked.refusal },
      );
    },
    confirm,
    resume: (attempt) => setStep({ at: "silent", content: attempt, message: REQUEST_TIMED_OUT }),
    back: () => setStep(FORM),
    abandon: () => {
      forget();
      setStep(FORM);
    },
    sent,
    forgive: () => {
      if (step.at === "form" && step.complaint) setStep(FORM);
    },
  };
}

function contentOf(request: CheckedWithdrawal): Content {
  return { ...request, amount: Number(request.amount) };
}

/** What to say when nobody knows whether the request was taken; null: the server said no. */
function sayUnknown(error: unknown): string | null {
  if (!(error instanceof RequestError)) return REQUEST_BROKE;
  if (error.code === "timeout") return REQUEST_TIMED_OUT;
  return error.status === 0 || error.status >= 500 ? sayError(error, REQUEST_BROKE) : null;
}
