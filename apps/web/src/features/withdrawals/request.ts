import { sayRefusal } from "@sesame/contract";
import {
  type CheckedWithdrawal,
  checkWithdrawal,
  isPayoutMethod,
  type LimitsAnswer,
  PAYOUT_METHOD_IDS,
  REQUEST_BROKE,
  REQUEST_FAILED,
  REQUEST_TIMED_OUT,
  type WithdrawalLimits,
  type WithdrawalOnWire,
  withdrawalsRefusals,
} from "@sesame/contract/withdrawals";
import { fcfa } from "@sesame/kernel";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../lib/api.ts";
import { isRefusal, newIdempotencyKey, RequestError, sayError } from "../../lib/request.ts";
import { useUserId } from "../../lib/session.ts";
import { forget, keep, readKept } from "../../lib/storage.ts";
import { haptic } from "../../telegram/native.ts";
import {
  type Complaint,
  complaintOf,
  fieldOf,
  type RequestForm,
  useRefreshMoney,
} from "./fields.tsx";

type Content = Omit<Attempt, "key">;

/** The step of a request (B §4). */
export type Step =
  | { readonly at: "form"; readonly complaint: Complaint | null }
  | { readonly at: "confirm"; readonly content: Content }
  | { readonly at: "sending"; readonly content: Content }
  /** Sent without an answer: the seller can send the same request again or look at the history. */
  | { readonly at: "silent"; readonly content: Content; readonly message: string }
  | { readonly at: "sent"; readonly demande: WithdrawalOnWire };

/** How long a withdrawal request waits for its answer (B §7). */
const REQUEST_TIMEOUT_MS = 30_000;

const FORM: Step = { at: "form", complaint: null };

export type RequestControl = ReturnType<typeof useRequest>;

export function useRequest() {
  const sellerId = useUserId();
  const [step, setStep] = useState<Step>(FORM);
  const [left, setLeft] = useState(() => readAttempt(sellerId));
  const [sent, setSent] = useState(0);
  const refresh = useRefreshMoney();
  // Sent again, it is the same request: the attempt has the key.
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
    // After a refusal too: the data of the screen is old.
    onSettled: () => void refresh(),
  });

  const end = () => {
    forget("local", keyOf(sellerId));
    setLeft(null);
  };
  const confirm = (content: Content) => {
    if (request.isPending) return;
    const attempt = beginAttempt(sellerId, content);
    setStep({ at: "sending", content });
    request.mutate(attempt, {
      onSuccess: ({ demande }) => {
        end();
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
        end();
        setStep({ at: "form", complaint: complaintOf(error, REQUEST_FAILED) });
      },
    });
  };

  return {
    step,
    /** An earlier request that was confirmed and never answered: the page offers to send it again. */
    left,
    /** "Continuer". */
    check(form: RequestForm, limits: LimitsAnswer) {
      // B §5, in its order.
      const checked = checkWithdrawal(form, limitsFrom(limits));
      haptic(checked.ok ? "light" : "error");
      if (checked.ok) {
        const { amount, ...rest } = checked.value;
        return setStep({ at: "confirm", content: { ...rest, amount: Number(amount) } });
      }
      const { body } = sayRefusal(checked.refusal, withdrawalsRefusals);
      setStep({ at: "form", complaint: { field: fieldOf(body.code), message: body.message } });
    },
    /** "Confirmer": the server checks everything again. */
    confirm,
    /** Opens what was left unanswered. */
    resume: (attempt: Attempt) =>
      setStep({ at: "silent", content: attempt, message: REQUEST_TIMED_OUT }),
    back: () => setStep(FORM),
    /** Stops asking: only the history says what happened to the request. */
    abandon: () => {
      end();
      setStep(FORM);
    },
    /** The number of requests sent on this screen: the form is reset after each. */
    sent,
    /** The form has changed: its complaint is removed. */
    forgive: () => {
      if (step.at === "form" && step.complaint) setStep(FORM);
    },
  };
}

/** The message when it is unknown whether the server accepted the request; null: the server refused it. */
function sayUnknown(error: unknown): string | null {
  if (!(error instanceof RequestError)) return REQUEST_BROKE;
  if (error.code === "timeout") return REQUEST_TIMED_OUT;
  return isRefusal(error) ? null : sayError(error, REQUEST_BROKE);
}

/**
 * A confirmed request without an answer (decision 64): kept on the phone until it has one, so that
 * sending it again, even after a reload, is the same request (decision 78).
 */
type Attempt = Omit<CheckedWithdrawal, "amount"> & {
  readonly key: string;
  /** Whole francs. */
  readonly amount: number;
};

function keyOf(sellerId: string): string {
  return `withdrawalOutbox:${sellerId}`;
}

function readAttempt(sellerId: string): Attempt | null {
  const kept = readKept("local", keyOf(sellerId));
  return isAttempt(kept) ? kept : null;
}

function isAttempt(kept: unknown): kept is Attempt {
  if (typeof kept !== "object" || kept === null) return false;
  const { key, amount, method, phone, whatsapp } = kept as Record<string, unknown>;
  return (
    [key, phone, whatsapp].every((text) => typeof text === "string" && text !== "") &&
    Number.isSafeInteger(amount) &&
    isPayoutMethod(method)
  );
}

const CONTENT = ["amount", "method", "phone", "whatsapp"] as const;

/** The attempt under way if its content is the same, else a new one with a new key; saved. */
function beginAttempt(sellerId: string, content: Content): Attempt {
  const before = readAttempt(sellerId);
  const isSame = CONTENT.every((part) => before?.[part] === content[part]);
  const attempt = before && isSame ? before : { key: newIdempotencyKey(), ...content };
  // Without storage the key is kept only while the screen is open.
  keep("local", keyOf(sellerId), attempt);
  return attempt;
}

/** The same limits the server checks by, from what it last said. */
function limitsFrom(answer: LimitsAnswer): WithdrawalLimits {
  const closed = { open: false, min: fcfa(0n), step: fcfa(1n) };
  const offered = answer.methodes.map(({ id, ouvert, min, pas }) => [
    id,
    { open: ouvert, min: fcfa(min), step: fcfa(pas) },
  ]);
  const methods = {
    ...Object.fromEntries(PAYOUT_METHOD_IDS.map((id) => [id, closed])),
    ...Object.fromEntries(offered),
  } as WithdrawalLimits["methods"];
  return {
    min: fcfa(answer.min),
    max: fcfa(answer.max),
    available: fcfa(answer.disponible),
    owed: fcfa(answer.owed),
    methods,
    // A blocked seller sees the reason and no form.
    standing: null,
    reopensAt: answer.prochaine_date === null ? null : new Date(answer.prochaine_date),
    firstMax: answer.premier_max === null ? null : fcfa(answer.premier_max),
    zone: answer.fuseau,
  };
}

/** The most that can be asked for now with a method: a whole multiple of its step. */
export function mostOf(answer: LimitsAnswer, method: string): number {
  const most = Math.min(answer.disponible, answer.max, answer.premier_max ?? answer.max);
  const step = answer.methodes.find(({ id }) => id === method)?.pas ?? 1;
  return Math.max(0, most - (most % Math.max(1, step)));
}
