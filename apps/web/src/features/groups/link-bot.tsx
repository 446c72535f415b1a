import type { AnswerOf } from "@sesame/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { botLinksQuery } from "../../lib/resources.ts";
import { haptic, isInsideTelegram, openTelegramLink } from "../../telegram/native.ts";
import { Button } from "../../kit/button.tsx";
import type { IconName } from "../../kit/icons.tsx";
import { Card, Cell, Grid, Heading, MoreLink, Section, Text } from "../../kit/layout.tsx";
import { Page } from "../../kit/screen.tsx";
import { toast } from "../../kit/toast.tsx";
import { groupsCopy } from "./messages.fr.ts";

const copy = groupsCopy.link;

/** A §9: after that, back to the list, which is updated by realtime events (decision 27). */
const RETURN_MS = 1_500;

const DEVICE_ICONS: readonly IconName[] = ["desktop", "phone", "globe"];
const RIGHT_ICONS: Record<string, IconName> = {
  manage_chat: "shield",
  restrict_members: "people",
  invite_users: "link",
};

export function LinkBot() {
  const links = useQuery(botLinksQuery);
  const open = useOpenAddLink(links.data);
  const permissions = links.data?.permissions ?? copy.defaultPermissions;
  const retryOr = (kind: "channel" | "group") => () =>
    links.isError ? void links.refetch() : open(kind);
  return (
    <Page title={copy.title} subtitle={copy.text}>
      <Card>
        <Heading center>{copy.choose}</Heading>
        <Grid least="7.5rem">
          <Button icon="megaphone" busy={links.isPending} onClick={retryOr("channel")}>
            {copy.channel}
          </Button>
          <Button icon="people" busy={links.isPending} onClick={retryOr("group")}>
            {copy.group}
          </Button>
        </Grid>
        {links.isError ? (
          <Text size="small" tone="brick" center role="alert">
            {copy.failed}
          </Text>
        ) : null}
      </Card>
      <Section title={copy.permissions}>
        {permissions.map(({ right, label }) => {
          const icon = RIGHT_ICONS[right] ?? "shield";
          return (
            <Cell key={right} icon={icon} title={label} subtitle={copy.permissionReasons[right]} />
          );
        })}
      </Section>
      <Section title={copy.how}>
        {copy.devices.map((device, index) => (
          <Cell
            key={device.name}
            icon={DEVICE_ICONS[index] ?? "phone"}
            title={device.name}
            subtitle={device.text}
          />
        ))}
      </Section>
      <MoreLink href="/GroupeListe">{copy.existing}</MoreLink>
    </Page>
  );
}

/** Opens Telegram's chooser, then returns: after a while inside Telegram, at once in a browser. */
function useOpenAddLink(links: AnswerOf<"GET /api/bot/links"> | undefined) {
  const [, navigate] = useLocation();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (kind: "channel" | "group") => {
    if (!links) return;
    haptic("light");
    openTelegramLink(links[kind]);
    if (!isInsideTelegram()) return navigate("/GroupeListe");
    toast(copy.opened);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => navigate("/GroupeListe"), RETURN_MS);
  };
}
