import type { InstanceSettings } from "@sesame/contract/settings";
import {
  DEFAULT_PAYOUT_METHOD,
  isPayoutMethod,
  normalisePhone,
  NUMBER_CHARACTERS_MIN,
  PAYOUT_FREQUENCIES,
  type PayoutMethodId,
  type PayoutSettingsBody,
  readAmount,
  readFlag,
  readNumber,
  type StandingRefusal,
  type WithdrawalsRefusal,
} from "@sesame/contract/withdrawals";
import type { Plan } from "@sesame/contract/plans";
import { type Fcfa, ok, type Result, refuse } from "@sesame/kernel";
import type { ProfileRow } from "./payout-profiles.view.ts";
import { FREQUENCIES_OF, FREQUENCY_FROM_WIRE, type Frequency, frequencyFor } from "./schedule.ts";

export type SettingsBefore = {
  readonly plan: Plan;
  readonly standing: StandingRefusal | null;
  readonly profile: ProfileRow;
};

/** What the configuration becomes. */
export type SettingsChange = {
  readonly automatic: boolean;
  readonly method: PayoutMethodId | null;
  readonly phone: string | null;
  readonly frequency: Frequency;
  readonly threshold: Fcfa | null;
  /** Null: stays as it is. */
  readonly whatsapp: string | null;
};

type Judged<T> = Result<T, WithdrawalsRefusal>;
type Terms = Pick<InstanceSettings, "methods" | "withdrawals">;

/** B §5 and §7; what a field leaves out stays as it is. Switching off is never refused. */
export function judgeSettings(
  body: PayoutSettingsBody,
  before: SettingsBefore,
  terms: Terms,
): Judged<SettingsChange> {
  const asked = body.retrait_auto === undefined ? undefined : readFlag(body.retrait_auto);
  if (asked === null) return refuse({ kind: "withdrawals.automatic-flag-invalid" });
  const judged = judgeFields(body, before, { ...terms, required: asked === true });
  const { profile } = before;
  if (asked === false) {
    const kept = { ...profile, whatsapp: null };
    const { method, phone, frequency, threshold, whatsapp } = judged.ok ? judged.value : kept;
    return ok({ automatic: false, method, phone, frequency, threshold, whatsapp });
  }
  if (!judged.ok) return judged;
  return ok({ automatic: asked ?? profile.automatic, ...judged.value });
}

function judgeFields(
  body: PayoutSettingsBody,
  before: SettingsBefore,
  terms: Terms & { required: boolean },
): Judged<Omit<SettingsChange, "automatic">> {
  const { profile } = before;
  const named = body.transfer_number !== undefined;
  const written = named ? readNumber(body.transfer_number) : profile.phone;
  if (written === null && (named || terms.required)) {
    return refuse({ kind: "withdrawals.automatic-phone-invalid" });
  }
  const whatsapp = judgeWhatsapp(body.whatsapp_number);
  if (!whatsapp.ok) return whatsapp;
  const target = judgeTarget(body.payment_method, { written, profile, methods: terms.methods });
  if (!target.ok) return target;
  const frequency = judgeFrequency(body.frequence, before);
  if (!frequency.ok) return frequency;
  const threshold = judgeThreshold(body.seuil, { frequency: frequency.value, profile, terms });
  if (!threshold.ok) return threshold;
  if (before.standing !== null) return refuse(before.standing);
  return ok({
    ...target.value,
    frequency: frequency.value,
    threshold: threshold.value,
    whatsapp: whatsapp.value,
  });
}

const WHATSAPP_DIGITS_MAX = 18;

/** Kept as the profile keeps it (identity): digits, and the plus it was written with. */
function judgeWhatsapp(raw: unknown): Judged<string | null> {
  if (raw === undefined || raw === null || raw === "") return ok(null);
  const written = readNumber(raw) ?? "";
  const digits = written.replace(/\D/g, "");
  const sound = digits.length >= NUMBER_CHARACTERS_MIN && digits.length <= WHATSAPP_DIGITS_MAX;
  if (!sound) return refuse({ kind: "withdrawals.whatsapp-invalid" });
  return ok(written.startsWith("+") ? `+${digits}` : digits);
}

type Target = { readonly method: PayoutMethodId | null; readonly phone: string | null };

function judgeTarget(
  raw: unknown,
  known: { written: string | null; profile: ProfileRow; methods: InstanceSettings["methods"] },
): Judged<Target> {
  const { written, profile, methods } = known;
  const method = raw === undefined ? (profile.method ?? DEFAULT_PAYOUT_METHOD) : raw;
  if (typeof method !== "string" || method.trim() === "") {
    return refuse({ kind: "withdrawals.method-missing" });
  }
  if (!isPayoutMethod(method)) return refuse({ kind: "withdrawals.method-unknown" });
  if (raw !== undefined && !methods[method].open) {
    return refuse({ kind: "withdrawals.method-closed", method });
  }
  if (written === null)
    return ok({ method: raw === undefined ? profile.method : method, phone: null });
  const phone = normalisePhone(written, method);
  return phone.ok ? ok({ method, phone: phone.value }) : phone;
}

function judgeFrequency(raw: unknown, { plan, profile }: SettingsBefore): Judged<Frequency> {
  if (raw === undefined || raw === null) return ok(frequencyFor(plan, profile.frequency));
  const named = PAYOUT_FREQUENCIES.find((frequency) => frequency === raw);
  if (named === undefined) return refuse({ kind: "withdrawals.frequency-unknown" });
  const frequency = FREQUENCY_FROM_WIRE[named];
  return FREQUENCIES_OF[plan].includes(frequency)
    ? ok(frequency)
    : refuse({ kind: "withdrawals.frequency-premium" });
}

function judgeThreshold(
  raw: unknown,
  known: { frequency: Frequency; profile: ProfileRow; terms: Terms },
): Judged<Fcfa | null> {
  const { frequency, profile, terms } = known;
  if (frequency !== "threshold") return ok(null);
  const { min, maxPremium: max } = terms.withdrawals;
  const amount = raw === undefined ? profile.threshold : readAmount(raw);
  return amount !== null && amount >= min && amount <= max
    ? ok(amount)
    : refuse({ kind: "withdrawals.threshold-invalid", min, max });
}
