import type { UserOnWire } from "@sesame/contract/identity";
import { CAPABILITY_NAMES } from "@sesame/contract/plans";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import { HISTORY } from "../../lib/text.ts";
import { Faq } from "../../kit/faq.tsx";
import { readInstance } from "../../lib/instance.ts";
import { premiumGateCopy } from "../../lib/messages.fr.ts";
import { usePremiumGate } from "../../lib/premium-gate.tsx";
import { complaintsWaitingQuery, supportQuery } from "../../lib/resources.ts";
import { useUser } from "../../lib/use-seller.ts";
import { openAddress, openLink } from "../../telegram/native.ts";
import { Avatar } from "../../kit/avatar.tsx";
import { Badge } from "../../kit/button.tsx";
import { Cell, type CellProps, Section, Stack } from "../../kit/layout.tsx";
import { Page } from "../../kit/screen.tsx";
import { identityCopy } from "./messages.fr.ts";

const { settings: copy, profile } = identityCopy;

/** Rows that lead somewhere, as data. */
function Links(props: {
  title: string;
  footer?: ReactNode;
  of: readonly ((CellProps & { readonly title: string }) | null)[];
  children?: ReactNode;
}) {
  return (
    <Section title={props.title} footer={props.footer}>
      {props.of.map((row) => (row ? <Cell key={row.title} chevron {...row} /> : null))}
      {props.children}
    </Section>
  );
}

/** The one hub of settings and help (decision 25). Only what leads somewhere is here. */
export function Settings() {
  const user = useUser();
  const name = user?.nom;
  const person = <Avatar name={name ?? "?"} photo={user?.photo_url ?? null} size={52} />;
  const username = user?.username ? `@${user.username}` : profile.title;
  const plan = sayPlan(user);
  const enabled = user !== undefined;
  const waiting = useQuery({ ...complaintsWaitingQuery, enabled }).data ?? 0;
  const support = useQuery({ ...supportQuery, enabled }).data;
  const unread = support?.unread ?? 0;
  const { communityUrl } = readInstance();
  const shop = "/ProductsList/boutique";
  return (
    <Page title={copy.title}>
      <Section>
        <Cell href="/profile" before={person} title={name ?? profile.title} subtitle={username} />
      </Section>
      <Links
        title={copy.account}
        of={[
          { icon: "star", title: copy.plan, after: plan, href: "/Plans" },
          { icon: "globe", title: copy.shop, subtitle: copy.shopText, href: shop },
          { icon: "people", title: copy.groups, href: "/GroupeListe" },
          { icon: "bot", title: copy.linkBot, href: "/relierbot" },
          { icon: "image", title: copy.guide, href: "/stories" },
        ]}
      />
      <Links
        title={copy.money}
        of={[
          { icon: "arrowOut", title: copy.withdraw, href: "/retrait" },
          {
            icon: "refresh",
            title: copy.automatic,
            after: user && (user.retraitAuto.active ? copy.automaticOn : copy.automaticOff),
            href: "/ConfigurationRetrait",
          },
          { icon: "clock", title: copy.withdrawals, href: HISTORY },
          { icon: "list", title: copy.transactions, href: "/transactions/history" },
          {
            icon: "shield",
            title: copy.complaints,
            after:
              waiting > 0 ? (
                <Badge tone="warning">{copy.complaintsWaiting(waiting)}</Badge>
              ) : undefined,
            href: "/reclamations",
          },
        ]}
      />
      <PaymentSection />
      <Section title={copy.display} footer={copy.themeText}>
        <Cell icon="moon" title={copy.theme} after={<ThemeName />} />
      </Section>
      {/* Help, and what the seller must be able to read (decisions 76, 77, 101). */}
      <Links
        title={copy.help}
        footer={support && copy.supportHours(support.hours.label, support.reply_hours)}
        of={[
          {
            icon: "help",
            title: copy.support,
            subtitle: copy.supportText,
            after: unread > 0 ? <Badge tone="accent">{copy.unread(unread)}</Badge> : undefined,
            href: "/CustomerSupport",
          },
          communityUrl
            ? { icon: "megaphone", title: copy.community, onClick: () => openAddress(communityUrl) }
            : null,
        ]}
      />
      <Faq of="settings" title={copy.faq} />
      <Links
        title={copy.terms}
        of={[
          { icon: "user", title: copy.yourData, subtitle: copy.yourDataText, href: "/mes-donnees" },
          { icon: "shield", title: copy.privacy, onClick: () => openLink("/confidentialite") },
          { icon: "document", title: copy.conditions, onClick: () => openLink("/conditions") },
        ]}
      >
        <Stack as="ul" pad>
          {copy.termsItems.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </Stack>
      </Links>
      <Section>
        <Cell icon="logout" title={profile.logout} href="/profile" />
      </Section>
    </Page>
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
  const behind = ({ allowed, pass }: typeof own, href: string) => ({
    after: allowed ? undefined : <Badge tone="accent">{premiumGateCopy.badge}</Badge>,
    onClick: () => pass(() => navigate(href)),
  });
  const { methods, methodsText: subtitle } = copy;
  const tools = CAPABILITY_NAMES["developer-api"];
  return (
    <Links
      title={copy.payments}
      of={[
        { icon: "wallet", title: methods, subtitle, href: "/ActivationMethode" },
        { icon: "plus", title: copy.addMethod, ...behind(own, "/AjouterMethode") },
        { icon: "shield", title: copy.keys, ...behind(own, "/ModifierKeyIndex") },
        {
          icon: "gear",
          title: copy.configuration,
          ...behind(configuration, "/CustomPaymentConfig"),
        },
        { icon: "link", title: tools, ...behind(developer, "/Developpeurs") },
      ]}
    >
      {own.gate}
      {developer.gate}
      {configuration.gate}
    </Links>
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
