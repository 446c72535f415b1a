import {
  FREQUENCY_NAMES,
  type LimitsAnswer,
  type PayoutSettingsOnWire,
  UPDATE_FAILED,
} from "@sesame/contract/withdrawals";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Link, useLocation } from "wouter";
import { formatFcfa, formatInstant, formatNumber } from "../../lib/format.ts";
import { useSession } from "../../lib/session.ts";
import { haptic } from "../../telegram/native.ts";
import { Banner } from "../../kit/banner.tsx";
import { Button } from "../../kit/button.tsx";
import { ChipField, TextField } from "../../kit/field.tsx";
import { Facts } from "../../kit/facts.tsx";
import { Card, Stack, Text } from "../../kit/layout.tsx";
import { NotYet } from "../../kit/not-yet.tsx";
import { Page } from "../../kit/page.tsx";
import { toast } from "../../kit/toast.tsx";
import {
  type AutomaticForm,
  automaticBody,
  automaticFormOf,
  type AutomaticComplaint,
  complaintOfServer,
} from "./automatic-form.ts";
import { configurationCopy, withdrawalsCopy } from "./messages.fr.ts";
import { BlockedNotice } from "./parts/blocked-notice.tsx";
import { MethodField } from "./parts/method-field.tsx";
import { OfflineNote } from "./parts/offline-note.tsx";
import { PhoneField } from "./parts/phone-field.tsx";
import { SwitchOff } from "./parts/switch-off.tsx";
import { limitsQuery, payoutSettingsQuery, useSavePayoutSettings } from "./money.ts";
import { useFocusOnComplaint } from "./use-focus-on-complaint.ts";

const copy = configurationCopy;

/** /ConfigurationRetrait: where, how often, and to whom (decisions 70, 71). */
export function AutomaticPayout() {
  const settings = useQuery(payoutSettingsQuery);
  const limits = useQuery(limitsQuery);
  const both = {
    isError: settings.isError || limits.isError,
    refetch: () => Promise.all([settings.refetch(), limits.refetch()]),
  };
  return (
    <Page title={copy.title} subtitle={copy.subtitle}>
      {settings.data && limits.data ? (
        <Configuration settings={settings.data} limits={limits.data} />
      ) : (
        <NotYet query={both} copy={{ ...copy, retry: withdrawalsCopy.retry }} rows={5} />
      )}
    </Page>
  );
}

function Configuration(props: { settings: PayoutSettingsOnWire; limits: LimitsAnswer }) {
  const { settings, limits } = props;
  const [asking, setAsking] = useState(false);
  const live = useSession().at === "live";
  const { active } = settings.retraitAuto;
  return (
    <>
      {settings.bloque ? (
        <BlockedNotice message={settings.bloque.message} />
      ) : (
        <ConfigurationForm settings={settings} limits={limits} live={live} />
      )}
      {active || settings.derniere_execution ? <LastRun settings={settings} /> : null}
      {active ? (
        <Button look="danger-tinted" disabled={!live} onClick={() => setAsking(true)}>
          {withdrawalsCopy.auto.deactivate}
        </Button>
      ) : null}
      {asking ? <SwitchOff onClose={() => setAsking(false)} /> : null}
    </>
  );
}

function ConfigurationForm(props: {
  settings: PayoutSettingsOnWire;
  limits: LimitsAnswer;
  live: boolean;
}) {
  const { settings, limits, live } = props;
  const [form, setForm] = useState<AutomaticForm>(() => automaticFormOf(settings, limits));
  const [complaint, setComplaint] = useState<AutomaticComplaint | null>(null);
  const save = useSavePayoutSettings();
  const [, navigate] = useLocation();
  const element = useFocusOnComplaint(complaint);
  const { active } = settings.retraitAuto;
  const set = (part: Partial<AutomaticForm>) => {
    setForm({ ...form, ...part });
    setComplaint(null);
  };
  const errorOf = (field: keyof AutomaticForm) =>
    complaint?.field === field ? complaint.message : null;
  const refuse = (why: AutomaticComplaint) => {
    haptic("error");
    setComplaint(why);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!live || save.isPending) return;
    const body = automaticBody(form, settings);
    if (!body.ok) return refuse(body.refusal);
    save.mutate(body.value, {
      onSuccess: () => {
        haptic("success");
        toast(active ? copy.saved : copy.activated);
        navigate("/retrait", { replace: true });
      },
      onError: (error) => refuse(complaintOfServer(error, UPDATE_FAILED)),
    });
  };
  return (
    <Stack as="form" gap={4} ref={element} noValidate onSubmit={submit}>
      {complaint && complaint.field === null ? (
        <div role="alert">
          <Banner tone="danger" icon="warning">
            {complaint.message}
          </Banner>
        </div>
      ) : null}
      <FrequencyFields form={form} settings={settings} errorOf={errorOf} onChange={set} />
      <MethodField
        methods={limits.methodes}
        value={form.method}
        error={errorOf("method")}
        onChange={(method) => set({ method })}
      />
      <PhoneField
        phone={form.phone}
        method={form.method}
        error={errorOf("phone")}
        onChange={(phone) => set({ phone })}
      />
      <TextField
        label={withdrawalsCopy.form.whatsapp}
        hint={withdrawalsCopy.form.whatsappHint}
        value={form.whatsapp}
        error={errorOf("whatsapp")}
        inputMode="tel"
        autoComplete="tel"
        maxLength={40}
        onChange={(whatsapp) => set({ whatsapp })}
      />
      <Banner tone="accent" icon="shield">
        {copy.change}
      </Banner>
      <OfflineNote />
      <Button type="submit" busy={save.isPending} disabled={!live}>
        {active ? copy.save : copy.activate}
      </Button>
      <Text size="small" tone="soft">
        {copy.same}
      </Text>
    </Stack>
  );
}

function FrequencyFields(props: {
  form: AutomaticForm;
  settings: PayoutSettingsOnWire;
  errorOf(field: keyof AutomaticForm): string | null;
  onChange(part: Partial<AutomaticForm>): void;
}) {
  const { form, settings, onChange } = props;
  const premium = settings.frequences.length > 1;
  return (
    <>
      <ChipField
        label={copy.frequency}
        value={form.frequency}
        error={props.errorOf("frequency")}
        choices={settings.frequences.map((value) => ({ value, label: FREQUENCY_NAMES[value] }))}
        onChange={(frequency) => onChange({ frequency })}
      />
      {premium ? null : (
        <Text size="small" tone="soft">
          {copy.premiumOnly} <Link href="/Plans">{copy.goPremium}</Link>
        </Text>
      )}
      {form.frequency === "seuil" ? (
        <TextField
          label={copy.threshold}
          hint={copy.thresholdHint(
            formatNumber(settings.seuil_min),
            formatFcfa(settings.seuil_max),
          )}
          value={form.threshold === "" ? "" : formatNumber(Number(form.threshold))}
          error={props.errorOf("threshold")}
          inputMode="numeric"
          suffix={withdrawalsCopy.franc}
          maxLength={13}
          required
          onChange={(text) => onChange({ threshold: text.replace(/\D/g, "").slice(0, 9) })}
        />
      ) : null}
    </>
  );
}

function LastRun({ settings }: { settings: PayoutSettingsOnWire }) {
  const { prochaine_execution, derniere_execution, dernier_resultat, repos_jusqua } = settings;
  const next = repos_jusqua
    ? withdrawalsCopy.auto.resting(formatInstant(repos_jusqua))
    : prochaine_execution
      ? formatInstant(prochaine_execution)
      : copy.none;
  return (
    <Card as="section">
      <Facts
        facts={[
          { name: copy.next, value: next },
          {
            name: copy.last,
            value: derniere_execution ? formatInstant(derniere_execution) : copy.none,
          },
          ...(dernier_resultat ? [{ name: copy.lastResult, value: dernier_resultat }] : []),
        ]}
      />
    </Card>
  );
}
