import {
  DEFAULT_PAYOUT_METHOD,
  FREQUENCY_NAMES,
  groupPhone,
  type LimitsAnswer,
  type PayoutSettingsBody,
  type PayoutSettingsOnWire,
  UPDATE_FAILED,
} from "@sesame/contract/withdrawals";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { formatFcfa, formatInstant, formatNumber } from "../../lib/format.ts";
import { useSession } from "../../lib/session.ts";
import { useSend } from "../../lib/use-write.ts";
import { haptic } from "../../telegram/native.ts";
import { Banner, Button } from "../../kit/button.tsx";
import { Facts } from "../../kit/facts.tsx";
import { ChipField, FrancsField } from "../../kit/field.tsx";
import { Card } from "../../kit/layout.tsx";
import { NotYet, Page } from "../../kit/screen.tsx";
import { toast } from "../../kit/toast.tsx";
import { Acts } from "../../kit/use-action.tsx";
import {
  BlockedNotice,
  type Complaint,
  type Payee,
  complaintOf,
  ComplainingForm,
  OfflineNote,
  PayeeFields,
  limitsQuery,
  nextRunOf,
  payoutSettingsQuery,
  useRefreshMoney,
} from "./fields.tsx";
import { configurationCopy, withdrawalsCopy } from "./messages.fr.ts";
import { switchOff } from "./automatic-card.tsx";
import { Note } from "../../kit/records.tsx";

const copy = configurationCopy;
const { auto } = withdrawalsCopy;

/** /ConfigurationRetrait: where, how often, and to whom (decisions 70, 71). */
export function AutomaticPayout() {
  const settings = useQuery(payoutSettingsQuery);
  const limits = useQuery(limitsQuery);
  const both = {
    isError: settings.isError || limits.isError,
    refetch: () => Promise.all([settings.refetch(), limits.refetch()]),
  };
  return (
    <Page title={auto.title} subtitle={copy.subtitle}>
      {settings.data && limits.data ? (
        <Configuration settings={settings.data} limits={limits.data} />
      ) : (
        <NotYet query={both} copy={copy} rows={5} />
      )}
    </Page>
  );
}

type Known = { readonly settings: PayoutSettingsOnWire; readonly limits: LimitsAnswer };

function Configuration(props: Known) {
  const { settings, limits } = props;
  const live = useSession().at === "live";
  const { active } = settings.retraitAuto;
  const { derniere_execution: last, repos_jusqua: rests } = settings;
  const runs = nextRunOf(settings, limits);
  const next = rests ? auto.resting(formatInstant(rests)) : runs ? formatInstant(runs) : copy.none;
  return (
    <>
      {settings.bloque ? (
        <BlockedNotice message={settings.bloque.message} />
      ) : (
        <ConfigurationForm settings={settings} limits={limits} live={live} />
      )}
      {active || last ? (
        <Card as="section">
          <Facts
            facts={[
              [copy.next, next],
              [copy.last, last ? formatInstant(last) : copy.none],
              [copy.lastResult, settings.dernier_resultat],
            ]}
          />
        </Card>
      ) : null}
      <Acts of={active && switchOff(live)} />
    </>
  );
}

function ConfigurationForm(props: Known & { live: boolean }) {
  const { settings, limits, live } = props;
  const [form, setForm] = useState<AutomaticForm>(() => automaticFormOf(settings, limits));
  const [complaint, setComplaint] = useState<Complaint | null>(null);
  const client = useQueryClient();
  const refresh = useRefreshMoney();
  const save = useSend("PUT /api/users/paiement/update", {
    onSuccess: ({ paiement }) => {
      if (paiement) client.setQueryData(payoutSettingsQuery.queryKey, paiement);
    },
    onSettled: () => void refresh(),
  });
  const [, navigate] = useLocation();
  const { active } = settings.retraitAuto;
  const set = (part: Partial<AutomaticForm>) => {
    setForm({ ...form, ...part });
    setComplaint(null);
  };
  const errorOf = (field: keyof AutomaticForm) =>
    complaint?.field === field ? complaint.message : null;
  const refuse = (why: Complaint) => {
    haptic("error");
    setComplaint(why);
  };
  const submit = () => {
    if (!live || save.isPending) return;
    save.mutate(automaticBody(form), {
      onSuccess: () => {
        haptic("success");
        toast(active ? copy.saved : copy.activated);
        navigate("/retrait", { replace: true });
      },
      onError: (error) => refuse(complaintOf(error, UPDATE_FAILED)),
    });
  };
  return (
    <ComplainingForm complaint={complaint} onSubmit={submit}>
      <ChipField
        label={copy.frequency}
        value={form.frequency}
        error={errorOf("frequency")}
        choices={settings.frequences.map((value) => ({ value, label: FREQUENCY_NAMES[value] }))}
        onChange={(frequency) => set({ frequency })}
      />
      {settings.frequences.length > 1 ? null : (
        <Note>
          {copy.premiumOnly} <Link href="/Plans">{copy.goPremium}</Link>
        </Note>
      )}
      {form.frequency === "seuil" ? (
        <FrancsField
          label={copy.threshold}
          hint={copy.thresholdHint(
            formatNumber(settings.seuil_min),
            formatFcfa(settings.seuil_max),
          )}
          value={form.threshold}
          error={errorOf("threshold")}
          required
          onChange={(threshold) => set({ threshold })}
        />
      ) : null}
      <PayeeFields form={form} methods={limits.methodes} errorOf={errorOf} onChange={set} />
      <Banner tone="accent" icon="shield">
        {copy.change}
      </Banner>
      <OfflineNote />
      <Button type="submit" busy={save.isPending} disabled={!live}>
        {active ? copy.save : auto.activate}
      </Button>
      <Note>{copy.same}</Note>
    </ComplainingForm>
  );
}

/** `threshold`: digits. */
type AutomaticForm = Readonly<Record<keyof Payee | "frequency" | "threshold", string>>;

/** The saved settings, else those of the last withdrawal, else the defaults (B §9). */
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

/** As typed: the server checks it, in the order of B §5. */
export function automaticBody(form: AutomaticForm): PayoutSettingsBody {
  return {
    retrait_auto: true,
    payment_method: form.method,
    transfer_number: form.phone,
    whatsapp_number: form.whatsapp,
    frequence: form.frequency,
    ...(form.frequency === "seuil" ? { seuil: form.threshold } : {}),
  };
}
