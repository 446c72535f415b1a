import { useSyncExternalStore } from "react";
import { readInstance } from "../../lib/instance.ts";
import { useUser } from "../../lib/use-seller.ts";
import { openAddress, openLink } from "../../telegram/native.ts";
import { Accordion } from "../../ui/accordion.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { Page } from "../../ui/page.tsx";
import { Cell, Section } from "../../ui/section.tsx";
import { identityCopy } from "./copy.fr.ts";
import styles from "./identity.module.css";

const copy = identityCopy.settings;

/** The one hub of settings and help (decision 25). Only what leads somewhere is here. */
export function Settings() {
  const user = useUser();
  const plan = !user?.plan
    ? copy.planNone
    : user.type_plan === "payant"
      ? copy.planPremium
      : copy.planFree;
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
        <Cell icon="star" tint="violet" title={copy.plan} after={plan} href="/Plans" chevron />
        <Cell icon="people" tint="blue" title={copy.groups} href="/GroupeListe" chevron />
        <Cell icon="bot" tint="teal" title={copy.linkBot} href="/relierbot" chevron />
        <Cell icon="image" tint="orange" title={copy.guide} href="/stories" chevron />
      </Section>
      <Section title={copy.money}>
        <Cell icon="arrowOut" tint="green" title={copy.withdraw} href="/retrait" chevron />
        <Cell
          icon="refresh"
          tint="teal"
          title={copy.automatic}
          after={
            user ? (user.retraitAuto.active ? copy.automaticOn : copy.automaticOff) : undefined
          }
          href="/ConfigurationRetrait"
          chevron
        />
        <Cell
          icon="clock"
          tint="blue"
          title={copy.withdrawals}
          href="/HistoriqueRetraits"
          chevron
        />
        <Cell
          icon="list"
          tint="violet"
          title={copy.transactions}
          href="/transactions/history"
          chevron
        />
      </Section>
      <Section title={copy.display} footer={copy.themeText}>
        <Cell icon="moon" tint="grey" title={copy.theme} after={<ThemeName />} />
      </Section>
      <HelpSection />
      <Section title={copy.faq}>
        <Accordion items={identityCopy.faq} />
      </Section>
      <Section title={copy.terms}>
        <ul className={styles.terms}>
          {copy.termsItems.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      </Section>
      <Section>
        <Cell icon="logout" tint="red" title={copy.logout} href="/profile" danger />
      </Section>
    </Page>
  );
}

/** Ways to reach people: shown when the operator gave them. */
function HelpSection() {
  const { supportTelegram, supportWhatsapp, communityUrl } = readInstance();
  if (!supportTelegram && !supportWhatsapp && !communityUrl) return null;
  return (
    <Section title={copy.help}>
      {supportTelegram ? (
        <Cell
          icon="help"
          tint="green"
          title={copy.support}
          onClick={() => openAddress(telegramAddress(supportTelegram))}
          chevron
        />
      ) : null}
      {supportWhatsapp ? (
        <Cell
          icon="phone"
          tint="green"
          title={copy.whatsapp}
          onClick={() => openLink(`https://wa.me/${supportWhatsapp.replace(/\D/g, "")}`)}
          chevron
        />
      ) : null}
      {communityUrl ? (
        <Cell
          icon="megaphone"
          tint="blue"
          title={copy.community}
          onClick={() => openAddress(communityUrl)}
          chevron
        />
      ) : null}
    </Section>
  );
}

function telegramAddress(name: string): string {
  return name.startsWith("https://") ? name : `https://t.me/${name.replace(/^@/, "")}`;
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
