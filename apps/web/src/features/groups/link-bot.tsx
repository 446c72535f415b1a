import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { botLinksQuery } from "../../lib/resources.ts";
import { haptic, isInsideTelegram, openTelegramLink } from "../../telegram/native.ts";
import { Button } from "../../kit/button.tsx";
import { Card, Cell, Grid, Heading, MoreLink, Section, Text } from "../../kit/layout.tsx";
import { Page } from "../../kit/screen.tsx";
import { toast } from "../../kit/toast.tsx";
import { groupsCopy } from "./messages.fr.ts";

const copy = groupsCopy.link;

/** A §9: after that, back to the list, which is updated by realtime events (decision 27). */
const RETURN_MS = 1_500;

const RIGHT_ICONS = ["shield", "people", "link"] as const;
const DEVICE_ICONS = ["desktop", "phone", "globe"] as const;

export function LinkBot() {
  const links = useQuery(botLinksQuery);
  const [, navigate] = useLocation();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  /** Opens Telegram's chooser, then returns: after a while inside Telegram, at once in a browser. */
  const open = (kind: "channel" | "group") => {
    if (links.isError || !links.data) return void links.refetch();
    haptic("light");
    openTelegramLink(links.data[kind]);
    if (!isInsideTelegram()) return navigate("/GroupeListe");
    toast(copy.opened);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => navigate("/GroupeListe"), RETURN_MS);
  };
  return (
    <Page title={copy.title} subtitle={copy.text}>
      <Card>
        <Heading center>{copy.choose}</Heading>
        <Grid least="7.5rem">
          <Button icon="megaphone" busy={links.isPending} onClick={() => open("channel")}>
            {groupsCopy.channel}
          </Button>
          <Button icon="people" busy={links.isPending} onClick={() => open("group")}>
            {groupsCopy.group}
          </Button>
        </Grid>
        {links.isError ? (
          <Text size="small" tone="brick" center role="alert">
            {copy.failed}
          </Text>
        ) : null}
      </Card>
      <Section title={copy.permissions}>
        {Object.values(copy.rights).map(([name, reason], at) => (
          <Cell key={name} icon={RIGHT_ICONS[at]} title={name} subtitle={reason} />
        ))}
      </Section>
      <Section title={copy.how}>
        {copy.devices.map(({ name, text }, at) => (
          <Cell key={name} icon={DEVICE_ICONS[at]} title={name} subtitle={text} />
        ))}
      </Section>
      <MoreLink href="/GroupeListe">{copy.existing}</MoreLink>
    </Page>
  );
}
