import { DEFAULT_PAYOUT_METHOD, groupPhone, type LimitsAnswer } from "@sesame/contract/withdrawals";
import { type RefObject, useEffect, useRef, useState } from "react";
import { formatFcfa, formatNumber } from "../../../lib/format.ts";
import { useMainButton } from "../../../telegram/native.ts";
import { Banner } from "../../../kit/banner.tsx";
import { Button } from "../../../kit/button.tsx";
import { TextField } from "../../../kit/field.tsx";
import { Stack, Text } from "../../../kit/layout.tsx";
import { withdrawalsCopy } from "../messages.fr.ts";
import { mostOf, type RequestForm } from "../limits.ts";
import { useFocusOnComplaint } from "../use-focus-on-complaint.ts";
import type { RequestControl } from "../use-request.ts";
import styles from "../withdrawals.module.css";
import { MethodField } from "./method-field.tsx";
import { OfflineNote } from "./offline-note.tsx";
import { PhoneField } from "./phone-field.tsx";

/** "Traitement sous 24 heures, du lundi au vendredi, de 9 h à 17 h." */
function sayHours({ jours, debut, fin }: LimitsAnswer["horaires"]): string {
  return withdrawalsCopy.form.delayHours(debut, fin, withdrawalsCopy.form.days(jours));
}

const copy = withdrawalsCopy.form;

/** The form of B §5, with what was used last time. */
export function RequestFields(props: {
  limits: LimitsAnswer;
  control: RequestControl;
  live: boolean;
}) {
  const { limits, control, live } = props;
  const [form, setForm] = useState<RequestForm>(() => firstForm(limits));
  const { step } = control;
  const complaint = step.at === "form" ? step.complaint : null;
  const element = useFocusOnComplaint(complaint);
  const set = (part: Partial<RequestForm>) => {
    setForm({ ...form, ...part });
    control.forgive();
  };
  const errorOf = (field: keyof RequestForm) =>
    complaint?.field === field ? complaint.message : null;
  const submit = () => control.check(form, limits);
  return (
    <Stack
      as="form"
      gap={4}
      ref={element}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (live) submit();
      }}
    >
      <Text as="h2" size="heading">
        {copy.legend}
      </Text>
      {complaint && complaint.field === null ? (
        <div role="alert">
          <Banner tone="danger" icon="warning">
            {complaint.message}
          </Banner>
        </div>
      ) : null}
      <AmountField form={form} limits={limits} error={errorOf("amount")} onChange={set} />
      <TextField
        label={copy.whatsapp}
        hint={copy.whatsappHint}
        value={form.whatsapp}
        error={errorOf("whatsapp")}
        inputMode="tel"
        autoComplete="tel"
        maxLength={40}
        required
        onChange={(whatsapp) => set({ whatsapp })}
      />
      <PhoneField
        phone={form.phone}
        method={form.method}
        error={errorOf("phone")}
        onChange={(phone) => set({ phone })}
      />
      <MethodField
        methods={limits.methodes}
        value={form.method}
        error={errorOf("method")}
        onChange={(method) => set({ method })}
      />
      <OfflineNote />
      <Continue shown={step.at === "form"} live={live} onPress={submit} />
      <Text size="small" tone="soft">
        {sayHours(limits.horaires)}
      </Text>
    </Stack>
  );
}

function firstForm(limits: LimitsAnswer): RequestForm {
  const open = (id: string) => limits.methodes.some((each) => each.id === id && each.ouvert);
  const last = limits.payment_method ?? DEFAULT_PAYOUT_METHOD;
  return {
    amount: "",
    whatsapp: groupPhone(limits.whatsapp_number ?? ""),
    phone: limits.transfer_number ? groupPhone(limits.transfer_number) : "",
    method: open(last) ? last : "",
  };
}

function AmountField(props: {
  form: RequestForm;
  limits: LimitsAnswer;
  error: string | null;
  onChange(part: Partial<RequestForm>): void;
}) {
  const { form, limits } = props;
  const digits = form.amount.replace(/\D/g, "");
  const most = mostOf(limits, form.method);
  return (
    <Stack gap={2}>
      <TextField
        label={copy.amount}
        hint={hintOf(form.method, limits)}
        value={digits === "" ? "" : formatNumber(Number(digits))}
        error={props.error}
        placeholder="0"
        inputMode="numeric"
        suffix={withdrawalsCopy.franc}
        maxLength={13}
        required
        onChange={(text) => props.onChange({ amount: text.replace(/\D/g, "").slice(0, 9) })}
      />
      {most >= limits.min ? (
        <button
          type="button"
          className={styles.all}
          onClick={() => props.onChange({ amount: String(most) })}
        >
          {copy.all(formatFcfa(most))}
        </button>
      ) : null}
    </Stack>
  );
}

/** The range of B §5, or the operator's own when it is narrower (decision 66). */
function hintOf(method: string, limits: LimitsAnswer): string {
  const terms = limits.methodes.find(({ id }) => id === method);
  if (terms && terms.min > limits.min)
    return copy.amountMinMethod(formatFcfa(terms.min), terms.nom);
  if (terms && terms.pas > 1) return copy.amountStep(formatFcfa(terms.pas), terms.nom);
  return copy.amountHint(formatNumber(limits.min), formatFcfa(limits.max));
}

/** The native button stands in for the page's own while that one is out of sight. */
function Continue(props: { shown: boolean; live: boolean; onPress(): void }) {
  const place = useRef<HTMLDivElement>(null);
  const inView = useInView(place);
  return (
    <div ref={place}>
      <Button type="submit" disabled={!props.live}>
        {copy.continue}
      </Button>
      {props.shown && props.live && !inView ? <NativeContinue onPress={props.onPress} /> : null}
    </div>
  );
}

function NativeContinue({ onPress }: { onPress(): void }) {
  useMainButton({ text: copy.mainButton, active: true, busy: false }, onPress);
  return null;
}

/** Whether the element is on the screen now; false while nobody can tell. */
function useInView(target: RefObject<Element | null>): boolean {
  const [inView, setInView] = useState(false);
  useEffect(() => {
    const element = target.current;
    if (!element || !("IntersectionObserver" in window)) return;
    const observer = new IntersectionObserver(
      (entries) => setInView(entries.some((entry) => entry.isIntersecting)),
      { threshold: 0.6 },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [target]);
  return inView;
}
