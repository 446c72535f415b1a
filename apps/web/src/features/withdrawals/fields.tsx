import {
  COUNTRY_TERMS,
  groupPhone,
  isPayoutMethod,
  normalisePhone,
  PAYOUT_COUNTRIES,
  PAYOUT_METHODS,
  phoneShape,
  type LimitsAnswer,
  type PayoutMethodOnWire,
  type PayoutSettingsOnWire,
  WITHDRAWALS_OFFLINE,
} from "@sesame/contract/withdrawals";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { formatFcfa } from "../../lib/format.ts";
import { read } from "../../lib/read.ts";
import { RequestError, sayError } from "../../lib/request.ts";
import { useRefresh } from "../../lib/resources.ts";
import { useSession } from "../../lib/session.ts";
import { haptic } from "../../telegram/native.ts";
import { Banner } from "../../kit/button.tsx";
import { TextField } from "../../kit/field.tsx";
import { Icon } from "../../kit/icons.tsx";
import { Cell, Section, Stack, Text } from "../../kit/layout.tsx";
import { Sheet } from "../../kit/modal.tsx";
import { OperatorMark } from "../../kit/operator-mark.tsx";
import { Form } from "../../kit/use-form.tsx";
import { withdrawalsCopy } from "./messages.fr.ts";
import { Note } from "../../kit/records.tsx";

const copy = withdrawalsCopy.form;

export const payoutSettingsQuery = read("GET /api/users/paiement", { pick: "paiement" });
export const limitsQuery = { ...read("GET /api/users/retrait/limites"), staleTime: 0 };

/** When the next automatic payout runs: not before the weekly limit allows a withdrawal. */
export function nextRunOf(
  { prochaine_execution: planned }: PayoutSettingsOnWire,
  { prochaine_date: reopens }: LimitsAnswer,
): string | null {
  return planned && reopens && reopens > planned ? reopens : planned;
}

/** Balances, requests and histories, asked anew after money moved. */
export function useRefreshMoney() {
  return useRefresh("withdrawals", "user", "transactions");
}

/** The form as it is typed. */
export type RequestForm = Readonly<Record<"amount" | "whatsapp" | "phone" | "method", string>>;

/** A field of a request, or of the automatic payout. */
type FormField = keyof RequestForm | "frequency" | "threshold";

/** What is wrong, and in which field; null: it is about the account or the weekly limit. */
export type Complaint = { readonly field: FormField | null; readonly message: string };

/** A form that scrolls to the wrong field; a complaint about no field is shown above the fields. */
export function ComplainingForm(props: {
  complaint: Complaint | null;
  onSubmit(): void;
  children: ReactNode;
}) {
  const { complaint } = props;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!complaint) return;
    const wrong = form.current?.querySelector<HTMLElement>(WRONG);
    wrong?.scrollIntoView({ block: "center" });
    wrong?.focus({ preventScroll: true });
  }, [complaint]);
  return (
    <Form ref={form} onSubmit={props.onSubmit}>
      {complaint && complaint.field === null ? (
        <div role="alert">
          <Banner tone="danger">{complaint.message}</Banner>
        </div>
      ) : null}
      {props.children}
    </Form>
  );
}

const WRONG = '[aria-invalid="true"], [data-wrong] button, [role="alert"]';

export type Payee = Pick<RequestForm, "whatsapp" | "phone" | "method">;

/** The payee: the WhatsApp number, the transfer number and its operator. */
export function PayeeFields(props: {
  form: Payee;
  methods: readonly PayoutMethodOnWire[];
  whatsappRequired?: boolean;
  errorOf(field: keyof Payee): string | null;
  onChange(part: Partial<Payee>): void;
}) {
  const { form, errorOf, onChange } = props;
  const shared = { inputMode: "tel", autoComplete: "tel", maxLength: 40 } as const;
  return (
    <>
      <TextField
        {...shared}
        label={copy.whatsapp}
        hint={copy.whatsappHint}
        value={form.whatsapp}
        error={errorOf("whatsapp")}
        required={props.whatsappRequired ?? false}
        onChange={(whatsapp) => onChange({ whatsapp })}
      />
      <TextField
        {...shared}
        label={copy.phone}
        placeholder={isPayoutMethod(form.method) ? phoneShape(form.method) : undefined}
        hint={readBack(form.phone, form.method)}
        value={form.phone}
        error={errorOf("phone")}
        required
        onChange={(phone) => onChange({ phone })}
      />
      <MethodField
        methods={props.methods}
        value={form.method}
        error={errorOf("method")}
        onChange={(method) => onChange({ method })}
      />
    </>
  );
}

/** The payout method, chosen on a sheet, country by country (B §3). */
function MethodField(props: {
  methods: readonly PayoutMethodOnWire[];
  value: string;
  error: string | null;
  onChange(method: string): void;
}) {
  const { methods, value, error } = props;
  const [choosing, setChoosing] = useState(false);
  const chosen = isPayoutMethod(value) ? PAYOUT_METHODS[value] : null;
  return (
    <Stack gap={2} data-wrong={error ? "" : undefined}>
      <Text as="span" size="small" tone="soft" strong aria-hidden="true">
        {copy.method} *
      </Text>
      <Section>
        <Cell
          {...(chosen
            ? { before: <OperatorMark operator={chosen.operator} /> }
            : { icon: "phone" })}
          title={
            <>
              <span className="visually-hidden">{copy.method} : </span>
              {chosen ? chosen.label : copy.methodNone}
            </>
          }
          subtitle={
            error ? (
              <Text as="span" tone="brick">
                {error}
              </Text>
            ) : undefined
          }
          after={<Icon name="down" size={18} />}
          onClick={() => setChoosing(true)}
        />
      </Section>
      {choosing ? (
        <Sheet title={copy.method} onClose={() => setChoosing(false)}>
          {PAYOUT_COUNTRIES.map((country) => {
            const those = methods.filter(({ pays }) => pays === country);
            if (those.length === 0) return null;
            return (
              <Section key={country} title={COUNTRY_TERMS[country].name}>
                {those.map((method) => (
                  <Cell
                    key={method.id}
                    before={<OperatorMark operator={method.operateur} />}
                    title={method.nom}
                    subtitle={subtitleOf(method)}
                    after={
                      method.id === value ? (
                        <Text as="span" tone="green">
                          <Icon name="check" size={22} />
                          <span className="visually-hidden">{copy.chosen}</span>
                        </Text>
                      ) : undefined
                    }
                    disabled={!method.ouvert}
                    onClick={() => {
                      haptic("selection");
                      setChoosing(false);
                      props.onChange(method.id);
                    }}
                  />
                ))}
              </Section>
            );
          })}
        </Sheet>
      ) : null}
    </Stack>
  );
}

const USUAL_MIN = 100;

function subtitleOf(method: PayoutMethodOnWire): string | undefined {
  if (!method.ouvert) return copy.methodClosed;
  return method.min > USUAL_MIN ? copy.methodMin(formatFcfa(method.min)) : undefined;
}

/** The typed number in groups, once it is valid in the method's country; until then a hint. */
function readBack(phone: string, method: string): ReactNode {
  if (!isPayoutMethod(method)) return undefined;
  const read = normalisePhone(phone, method);
  if (read.ok) {
    return (
      <>
        {copy.phoneReads}{" "}
        <Text as="span" whole>
          {groupPhone(read.value)}
        </Text>
      </>
    );
  }
  const { nationalLength, dial } = COUNTRY_TERMS[PAYOUT_METHODS[method].country];
  return copy.phoneHint(nationalLength, dial);
}

/** Says that the page is offline: no money action is made from cached data (decision 16). */
export function OfflineNote() {
  if (useSession().at !== "offline") return null;
  return <Note>{WITHDRAWALS_OFFLINE}</Note>;
}

/** The account is frozen, suspended or closed: the reason, and a link to the support (decision 99). */
export function BlockedNotice({ message }: { message: string }) {
  return (
    <Banner tone="danger" icon="shield" action={[withdrawalsCopy.support, "/CustomerSupport"]}>
      {message}
    </Banner>
  );
}

/** Refusals about the amount whose codes do not begin with it. */
const ABOUT_AMOUNT = [
  "balance-too-low",
  "below-operator-min",
  "off-operator-step",
  "first-too-large",
];
const NAMED =
  /^withdrawals\.(?:automatic-)?((amount|whatsapp|phone|method|frequency|threshold)-.+|.+)$/;

/** The field that a refusal's code is about. */
export function fieldOf(code: string): FormField | null {
  const [, rest = "", named] = NAMED.exec(code) ?? [];
  return (named as FormField | undefined) ?? (ABOUT_AMOUNT.includes(rest) ? "amount" : null);
}

/** The server's refusal, at the field that it is about. */
export function complaintOf(error: unknown, otherwise: string): Complaint {
  const code = error instanceof RequestError ? error.code : "";
  return { field: fieldOf(code), message: sayError(error, otherwise) };
}
