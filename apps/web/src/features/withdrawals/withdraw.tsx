import { explainOwed, sayInstant } from "@sesame/contract";
import {
  DEFAULT_PAYOUT_METHOD,
  groupPhone,
  type LimitsAnswer,
  WITHDRAWALS_OFFLINE,
} from "@sesame/contract/withdrawals";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { formatFcfa, formatNumber } from "../../lib/format.ts";
import { totalOf, HISTORY } from "../../lib/text.ts";
import { later } from "../../lib/later.ts";
import { whenIdle } from "../../lib/realtime.ts";
import { useSession } from "../../lib/session.ts";
import { useUser } from "../../lib/use-seller.ts";
import { useClosingConfirmation } from "../../telegram/native.ts";
import { Banner, Button, IconButton, TintedButton } from "../../kit/button.tsx";
import { FrancsField } from "../../kit/field.tsx";
import { Card, Cell, Heading, Section, Stack, Text } from "../../kit/layout.tsx";
import { Failed, Page } from "../../kit/screen.tsx";
import { Skeleton, SkeletonRows } from "../../kit/skeleton.tsx";
import {
  BlockedNotice,
  ComplainingForm,
  OfflineNote,
  PayeeFields,
  type RequestForm,
  limitsQuery,
  useRefreshMoney,
} from "./fields.tsx";
import { withdrawalsCopy } from "./messages.fr.ts";
import { mostOf, type RequestControl, useRequest } from "./request.ts";
import { Note } from "../../kit/records.tsx";

const { page: copy, form: formCopy } = withdrawalsCopy;

// Needed once the form is filled in: loaded meanwhile.
const loadDialogs = () => import("./request-dialogs.tsx");
const RequestDialogs = later(loadDialogs, "RequestDialogs");

const AutomaticCard = later(() => import("./automatic-card.tsx"), "AutomaticCard");

/** /retrait: the seller asks for his money (B §2). */
export function Withdraw() {
  const limits = useQuery(limitsQuery);
  const session = useSession().at;
  const refresh = useRefreshMoney();
  const [, navigate] = useLocation();
  const history = (
    <IconButton icon="clock" label={copy.history} onClick={() => navigate(HISTORY)} />
  );
  return (
    <Page refresh={refresh} title={copy.title} actions={history}>
      {limits.data ? (
        <Money limits={limits.data} live={session === "live"} />
      ) : limits.isError || session === "offline" ? (
        <Unreached onRetry={() => void limits.refetch()} />
      ) : (
        <>
          <Skeleton height="112px" radius="14px" />
          <SkeletonRows count={4} label={copy.loading} />
        </>
      )}
    </Page>
  );
}

/** The last known balance, when the server does not answer. */
function Unreached({ onRetry }: { onRetry(): void }) {
  const user = useUser();
  const offline = useSession().at === "offline";
  return (
    <>
      {user ? <Balances solde={totalOf(user)} disponible={user.soldeDisponible} /> : null}
      <Failed title={offline ? WITHDRAWALS_OFFLINE : copy.failed} onRetry={onRetry} />
    </>
  );
}

function Money({ limits, live }: { limits: LimitsAnswer; live: boolean }) {
  const control = useRequest();
  const { step, left } = control;
  useClosingConfirmation(step.at === "sending");
  useEffect(() => whenIdle(() => void loadDialogs().catch(() => undefined)), []);
  return (
    <>
      <Balances solde={limits.solde} disponible={limits.disponible} />
      {limits.owed > 0 ? <Banner>{explainOwed(limits.owed)}</Banner> : null}
      {limits.bloque ? <BlockedNotice message={limits.bloque.message} /> : null}
      {/* Decision 65: shown before anything is typed. */}
      {limits.prochaine_date && !limits.bloque ? (
        <Banner tone="accent" icon="clock">
          {copy.weekly(sayInstant(new Date(limits.prochaine_date), limits.fuseau))}{" "}
          <Link href="/Plans">{copy.goPremium}</Link>
        </Banner>
      ) : null}
      {left && step.at !== "sending" ? (
        <Banner action={[copy.pendingAction, () => control.resume(left)]}>
          {copy.pendingTitle(formatFcfa(left.amount))}
        </Banner>
      ) : null}
      <Suspense fallback={<Skeleton height="104px" radius="14px" />}>
        <AutomaticCard live={live} limits={limits} />
      </Suspense>
      {limits.bloque ? null : (
        // A request that was sent brings its own number, a moment after its answer.
        <RequestFields
          key={`${control.sent} ${limits.transfer_number}`}
          limits={limits}
          control={control}
          live={live}
        />
      )}
      <Section>
        <Cell icon="clock" title={copy.history} href={HISTORY} />
      </Section>
      {step.at === "form" ? null : (
        <Suspense>
          <RequestDialogs limits={limits} control={control} />
        </Suspense>
      )}
    </>
  );
}

/** Decision 62: both figures. */
function Balances({ solde, disponible }: { solde: number; disponible: number }) {
  const held = solde - disponible;
  return (
    <Card as="section" big gap={1} aria-label={copy.balance}>
      <Text as="span" size="small">
        {copy.available}
      </Text>
      <Text as="strong" size="hero">
        {formatFcfa(disponible)}
      </Text>
      <Text size="small">
        {copy.posted} <strong>{formatFcfa(solde)}</strong>
        {held > 0 ? ` · ${copy.held(formatFcfa(held))}` : null}
      </Text>
    </Card>
  );
}

/** The form of B §5, with what was used last time. */
function RequestFields(props: { limits: LimitsAnswer; control: RequestControl; live: boolean }) {
  const { limits, control, live } = props;
  const [form, setForm] = useState<RequestForm>(() => firstForm(limits));
  const { step } = control;
  const { jours, debut, fin } = limits.horaires;
  const most = mostOf(limits, form.method);
  const complaint = step.at === "form" ? step.complaint : null;
  const set = (part: Partial<RequestForm>) => {
    setForm({ ...form, ...part });
    control.forgive();
  };
  const errorOf = (field: keyof RequestForm) =>
    complaint?.field === field ? complaint.message : null;
  return (
    <ComplainingForm
      complaint={complaint}
      onSubmit={() => {
        if (live) control.check(form, limits);
      }}
    >
      <Heading>{formCopy.legend}</Heading>
      <Stack gap={2}>
        <FrancsField
          label={formCopy.amount}
          hint={hintOf(form.method, limits)}
          value={form.amount}
          error={errorOf("amount")}
          placeholder="0"
          required
          onChange={(amount) => set({ amount })}
        />
        {most >= limits.min ? (
          <TintedButton size="small" onClick={() => set({ amount: String(most) })}>
            {formCopy.most(formatFcfa(most))}
          </TintedButton>
        ) : null}
      </Stack>
      <PayeeFields
        form={form}
        methods={limits.methodes}
        whatsappRequired
        errorOf={errorOf}
        onChange={set}
      />
      <OfflineNote />
      <Button type="submit" disabled={!live}>
        {formCopy.continue}
      </Button>
      <Note>{formCopy.delayHours(debut, fin, formCopy.days(jours))}</Note>
    </ComplainingForm>
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

/** The range of B §5, or the operator's own when it is narrower (decision 66). */
function hintOf(method: string, limits: LimitsAnswer): string {
  const terms = limits.methodes.find(({ id }) => id === method);
  if (terms && terms.min > limits.min)
    return formCopy.amountMinMethod(formatFcfa(terms.min), terms.nom);
  if (terms && terms.pas > 1) return formCopy.amountStep(formatFcfa(terms.pas), terms.nom);
  return formCopy.amountHint(formatNumber(limits.min), formatFcfa(limits.max));
}
