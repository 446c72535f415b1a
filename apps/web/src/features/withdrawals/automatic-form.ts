import { sayRefusal } from "@sesame/contract";
import {
  DEFAULT_PAYOUT_METHOD,
  groupPhone,
  isPayoutMethod,
  type LimitsAnswer,
  normalisePhone,
  type PayoutSettingsBody,
  type PayoutSettingsOnWire,
  readNumber,
  type WithdrawalsRefusal,
  withdrawalsRefusals,
} from "@sesame/contract/withdrawals";
import { fcfa, ok, type Result, refuse } from "@sesame/kernel";
import { RequestError, sayError } from "../../lib/request.ts";
import { fieldOf } from "./limits.ts";

export type AutomaticForm = {
  readonly frequency: string;
  /** Digits. */
  readonly threshold: string;
  readonly method: string;
  readonly phone: string;
  readonly whatsapp: string;
};

export type AutomaticComplaint = {
  readonly field: keyof AutomaticForm | null;
  readonly message: string;
};

/** What is set; else what was used last; else the usual (B §9). */
export function automaticFormOf(
  settings: PayoutSettingsOnWire,
  limits: LimitsAnswer,
): AutomaticForm {
  const { modePaiement, numeroTransfert } = settings.retraitAuto;
  const phone = numeroTransfert ?? settings.transfer_number;
  const method = modePaiement ?? settings.payment_method ?? DEFAULT_PAYOUT_METHOD;
  const open = limits.methodes.some(({ id, ouvert }) => id === method && ouvert);
  const offered = settings.frequences.includes(settings.frequence);
  return {
    frequency: offered ? settings.frequence : "hebdomadaire",
    threshold: settings.seuil === null ? "" : String(settings.seuil),
    method: open ? method : "",
    phone: phone ? groupPhone(phone) : "",
    whatsapp: groupPhone(settings.whatsapp_number ?? ""),
  };
}

/** B §5: the number first; then the method, the number for it, the threshold. */
export function automaticBody(
  form: AutomaticForm,
  settings: PayoutSettingsOnWire,
): Result<PayoutSettingsBody, AutomaticComplaint> {
  const written = readNumber(form.phone);
  if (written === null) return complain("phone", { kind: "withdrawals.automatic-phone-invalid" });
  if (!isPayoutMethod(form.method)) {
    return complain("method", { kind: "withdrawals.method-missing" });
  }
  const phone = normalisePhone(written, form.method);
  if (!phone.ok) return complain("phone", phone.refusal);
  const whatsapp = form.whatsapp.trim();
  if (whatsapp !== "" && readNumber(whatsapp) === null) {
    return complain("whatsapp", { kind: "withdrawals.whatsapp-invalid" });
  }
  const threshold = Number(form.threshold);
  const { seuil_min: min, seuil_max: max } = settings;
  const byThreshold = form.frequency === "seuil";
  if (byThreshold && !(threshold >= min && threshold <= max)) {
    const kind = "withdrawals.threshold-invalid";
    return complain("threshold", { kind, min: fcfa(min), max: fcfa(max) });
  }
  return ok({
    retrait_auto: true,
    payment_method: form.method,
    transfer_number: phone.value,
    frequence: form.frequency,
    ...(whatsapp === "" ? {} : { whatsapp_number: whatsapp }),
    ...(byThreshold ? { seuil: threshold } : {}),
  });
}

function complain(field: keyof AutomaticForm, refusal: WithdrawalsRefusal) {
  return refuse({ field, message: sayRefusal(refusal, withdrawalsRefusals).body.message });
}

const FIELDS: Readonly<Partial<Record<string, keyof AutomaticForm>>> = {
  "withdrawals.automatic-phone-invalid": "phone",
  "withdrawals.frequency-unknown": "frequency",
  "withdrawals.frequency-premium": "frequency",
  "withdrawals.threshold-invalid": "threshold",
};

/** The server's no, where it belongs. */
export function complaintOfServer(error: Error, otherwise: string): AutomaticComplaint {
  const code = error instanceof RequestError ? error.code : "";
  const shared = fieldOf(code);
  const field = FIELDS[code] ?? (shared === "amount" ? null : shared);
  return { field, message: sayError(error, otherwise) };
}
