import type { UserOnWire } from "@sesame/contract/identity";
import { CAPABILITY_NAMES } from "@sesame/contract/plans";
import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import { Faq } from "../../kit/faq.tsx";
import { readInstance } from "../../lib/instance.ts";
import { premiumGateCopy } from "../../lib/messages.fr.ts";
import { usePremiumGate } from "../../lib/premium-gate.tsx";
import { claimsWaitingQuery, supportQuery } from "../../lib/resources.ts";
import { useUser } from "../../lib/use-seller.ts";
import { openAddress, openLink } from "../../telegram/native.ts";
import { Avatar } from "../../kit/avatar.tsx";
import { Badge } from "../../kit/badge.tsx";
import { Stack } from "../../kit/layout.tsx";
import { Page } from "../../kit/page.tsx";
import { Cell, Section } from "../../kit/section.tsx";
import { identityCopy } from "./messages.fr.ts";

const copy = identityCopy.settings;

/** The one hub of settings and help (decision 25). Only what leads somewhere is here. */
export function Settings() {
  const user = useUser();
  return (
    <Page title={copy.title}>
      <Section>
        <Cell
          href="/profile"
          before={<Avatar name={user?.nom ?? "?"} photo={user?.photo_url ?? null} size={52} />}
          title={user?.nom ?? copy.profile}
          subtitle={user?.username ? `@${user.username}` : copy.profile}
          chevron
        />
      </Section>
      <Section title={copy.account}>
        <Cell icon="star" title={copy.plan} after={sayPlan(user)} href="/Plans" chevron />
        <Cell
          icon="globe"
          title={copy.shop}
          subtitle={copy.shopText}
          href="/ProductsList/boutique"
          chevron
        />
        <Cell icon="people" title={copy.groups} href="/GroupeListe" chevron />
        <Cell icon="bot" title={copy.linkBot} href="/relierbot" chevron />
        <Cell icon="image" title={copy.guide} href="/stories" chevron />
      </Section>
      <MoneySection user={user} />
      <PaymentSection />
      <Section title={copy.display} footer={copy.themeText}>
        <Cell icon="moon" title={copy.theme} after={<ThemeName />} />
      </Section>
      <HelpSection user={user} />
      <Faq of="settings" title={copy.faq} />
      <LegalSection />
      <Section>
        <Cell icon="logout" title={copy.logout} href="/profile" danger />
      </Section>
    </Page>
  );
}

function MoneySection({ user }: { user: UserOnWire | undefined }) {
  const waiting = useQuery({ ...claimsWaitingQuery, enabled: user !== undefined }).data ?? 0;
  return (
    <Section title={copy.money}>
      <Cell icon="arrowOut" title={copy.withdraw} href="/retrait" chevron />
      <Cell
        icon="refresh"
        title={copy.automatic}
        after={user ? (user.retraitAuto.active ? copy.automaticOn : copy.automaticOff) : undefined}
        href="/ConfigurationRetrait"
        chevron
      />
      <Cell icon="clock" title={copy.withdrawals} href="/HistoriqueRetraits" chevron />
      <Cell icon="list" title={copy.transactions} href="/transactions/history" chevron />
      <Cell
        icon="shield"
        title={copy.claims}
        after={
          waiting > 0 ? <Badge tone="warning">{copy.claimsWaiting(waiting)}</Badge> : undefined
        }
        href="/reclamations"
        chevron
      />
    </Section>
  );
}

function sayPlan(user: UserOnWire | undefined): string {
  if (!user?.plan) return copy.planNone;
  if (user.premium_state === "grace") return copy.planGrace;
  return user.type_plan === "payant" ? copy.planPremium : copy.planFree;
}

/** How buyers pay; what is premium opens its gate on the free plan (decision 12). */
function PaymentSection() {
  const [, navigate] = useLocation();
  const own = usePremiumGate("own-aggregators");
  const configuration = usePremiumGate("custom-configuration");
  const developer = usePremiumGate("developer-api");
  const mark = (allowed: boolean) =>
    allowed ? undefined : <Badge tone="accent">{premiumGateCopy.badge}</Badge>;
  return (
    <Section title={copy.payments}>
      <Cell
        icon="wallet"
        title={copy.methods}
        subtitle={copy.methodsText}
        href="/ActivationMethode"
        chevron
      />
      <Cell
        icon="plus"
        title={copy.addMethod}
        after={mark(own.allowed)}
        onClick={() => own.pass(() => navigate("/AjouterMethode"))}
        chevron
      />
      <Cell
        icon="shield"
        title={copy.keys}
        after={mark(own.allowed)}
        onClick={() => own.pass(() => navigate("/ModifierKeyIndex"))}
        chevron
      />
      <Cell
        icon="gear"
        title={copy.configuration}
        after={mark(configuration.allowed)}
        onClick={() => configuration.pass(() => navigate("/CustomPaymentConfig"))}
        chevron
      />
      <Cell
        icon="link"
        title={CAPABILITY_NAMES["developer-api"]}
        after={mark(developer.allowed)}
        onClick={() => developer.pass(() => navigate("/Developpeurs"))}
        chevron
      />
      {own.gate}
      {developer.gate}
      {configuration.gate}
    </Section>
  );
}

/** Help, and what the seller must be able to read (decisions 76, 77, 101). */
function HelpSection({ user }: { user: UserOnWire | undefined }) {
  const { communityUrl } = readInstance();
  const support = useQuery({ ...supportQuery, enabled: user !== undefined }).data;
  return (
    <Section
      title={copy.help}
      footer={support ? copy.supportHours(support.hours.label, support.reply_hours) : undefined}
    >
      <Cell
        icon="help"
        title={copy.support}
        subtitle={copy.supportText}
        after={
          support && support.unread > 0 ? (
            <Badge tone="accent">{copy.unread(support.unread)}</Badge>
          ) : undefined
        }
        href="/CustomerSupport"
        chevron
      />
      <Cell icon="info" title={copy.faq} href="/IndexFaq" chevron />
      {communityUrl ? (
        <Cell
          icon="megaphone"
          title={copy.community}
          onClick={() => openAddress(communityUrl)}
          chevron
        />
      ) : null}
    </Section>
  );
}

/** Pages of the server's own, which open in any browser. */
function LegalSection() {
  const open = (path: string) => openLink(new URL(path, window.location.origin).href);
  return (
    <Section title={copy.terms}>
      <Cell
        icon="user"
        title={copy.yourData}
        subtitle={copy.yourDataText}
        href="/mes-donnees"
        chevron
      />
      <Cell icon="shield" title={copy.privacy} onClick={() => open("/confidentialite")} chevron />
      <Cell icon="document" title={copy.conditions} onClick={() => open("/conditions")} chevron />
      <Stack as="ul" pad>
        {copy.termsItems.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </Stack>
    </Section>
  );
}

function ThemeName() {
  const dark = useSyncExternalStore(watchScheme, isDark);
  return dark ? copy.dark : copy.light;
}

function isDark(): boolean {
  const { scheme } = document.documentElement.dataset;
  return scheme ? scheme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function watchScheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ["data-scheme"] });
  return () => observer.disconnect();
}
