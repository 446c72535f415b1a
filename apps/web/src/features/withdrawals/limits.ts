import { sayRefusal } from "@sesame/contract";
import {
  type CheckedWithdrawal,
  checkWithdrawal,
  type LimitsAnswer,
  PAYOUT_METHOD_IDS,
  type PayoutMethodId,
  type RequestRefusal,
  type WithdrawalLimits,
  withdrawalsRefusals,
} from "@sesame/contract/withdrawals";
import { fcfa, ok, type Result, refuse } from "@sesame/kernel";

/** The form as it is typed. */
export type RequestForm = {
  readonly amount: string;
  readonly whatsapp: string;
  readonly phone: string;
  readonly method: string;
};

export type RequestField = keyof RequestForm;

/** What is wrong, and where; a null field is about the seller or the week, not about what he typed. */
export type Complaint = { readonly field: RequestField | null; readonly message: string };

/** The same limits the server checks by, from what it last said. */
function limitsFrom(answer: LimitsAnswer): WithdrawalLimits {
  const closed: WithdrawalLimits["methods"][PayoutMethodId] = {
    open: false,
    min: fcfa(0n),
    step: fcfa(1n),
  };
  const told = answer.methodes.map(({ id, ouvert, min, pas }) => [
    id,
    { open: ouvert, min: fcfa(min), step: fcfa(pas) },
  ]);
  const methods = {
    ...Object.fromEntries(PAYOUT_METHOD_IDS.map((id) => [id, closed])),
    ...Object.fromEntries(told),
  } as WithdrawalLimits["methods"];
  return {
    min: fcfa(answer.min),
    max: fcfa(answer.max),
    available: fcfa(answer.disponible),
    methods,
    // Whoever is blocked is shown the reason and no form.
    standing: null,
    reopensAt: answer.prochaine_date === null ? null : new Date(answer.prochaine_date),
    firstMax: answer.premier_max === null ? null : fcfa(answer.premier_max),
    zone: answer.fuseau,
  };
}

/** B §5, in its order. */
export function checkForm(
  form: RequestForm,
  answer: LimitsAnswer,
): Result<CheckedWithdrawal, Complaint> {
  const checked = checkWithdrawal(form, limitsFrom(answer));
  return checked.ok ? ok(checked.value) : refuse(complaintOf(checked.refusal));
}

export function complaintOf(refusal: RequestRefusal): Complaint {
  const { body } = sayRefusal(refusal, withdrawalsRefusals);
  return { field: fieldOf(body.code), message: body.message };
}

const FIELDS: Readonly<Partial<Record<string, RequestField>>> = {
  "withdrawals.amount-invalid": "amount",
  "withdrawals.amount-too-small": "amount",
  "withdrawals.amount-too-large": "amount",
  "withdrawals.balance-too-low": "amount",
  "withdrawals.below-operator-min": "amount",
  "withdrawals.off-operator-step": "amount",
  "withdrawals.first-too-large": "amount",
  "withdrawals.whatsapp-invalid": "whatsapp",
  "withdrawals.phone-missing": "phone",
  "withdrawals.phone-invalid": "phone",
  "withdrawals.phone-wrong-country": "phone",
  "withdrawals.phone-wrong-operator": "phone",
  "withdrawals.method-missing": "method",
  "withdrawals.method-unknown": "method",
  "withdrawals.method-closed": "method",
};

/** Of a refusal's code, ours or the server's. */
export function fieldOf(code: string): RequestField | null {
  return FIELDS[code] ?? null;
}

/** The most that can be asked for now with a method: a whole multiple of its step. */
export function mostOf(answer: LimitsAnswer, method: string): number {
  const most = Math.min(answer.disponible, answer.max, answer.premier_max ?? answer.max);
  const step = answer.methodes.find(({ id }) => id === method)?.pas ?? 1;
  return Math.max(0, most - (most % Math.max(1, step)));
}
