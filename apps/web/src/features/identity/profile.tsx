import { BUG_MESSAGE, SAVE_FAILED } from "@sesame/contract";
import type { UserOnWire } from "@sesame/contract/identity";
import { groupPhone, sayMethod } from "@sesame/contract/withdrawals";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { formatDay } from "../../lib/format.ts";
import { userQuery } from "../../lib/resources.ts";
import { useUser } from "../../lib/use-seller.ts";
import { Avatar } from "../../kit/avatar.tsx";
import { Button, useBusy } from "../../kit/button.tsx";
import { Cell, Section, Stack, Text } from "../../kit/layout.tsx";
import { kitCopy } from "../../kit/messages.fr.ts";
import { Dialog } from "../../kit/modal.tsx";
import { Page } from "../../kit/screen.tsx";
import { SkeletonRows } from "../../kit/skeleton.tsx";
import { act, ActForm, Acts, useSignedIn } from "../../kit/use-action.tsx";
import { identityCopy } from "./messages.fr.ts";

const copy = identityCopy.profile;

export function Profile({ onLogout }: { onLogout(): Promise<void> }) {
  const user = useUser();
  const { transfer_number: number, payment_method: method } = user ?? {};
  const [, navigate] = useLocation();
  const [asking, setAsking] = useState(false);
  const logout = async () => {
    await onLogout();
    navigate("/settings");
  };
  const [leaving, leave] = useBusy(logout);
  return (
    <Page title={copy.title}>
      {user ? (
        <>
          <Stack gap={2} center>
            <Avatar name={user.nom} photo={user.photo_url} size={84} />
            <Text size="heading">{user.nom}</Text>
          </Stack>
          <Section title={copy.identity}>
            <Cell title={copy.telegramName} after={user.nom} />
            <Cell
              title={copy.username}
              after={user.username ? `@${user.username}` : copy.noUsername}
            />
            <Cell title={copy.telegramId} after={String(user.telegram_id)} />
            <Cell title={copy.since} after={formatDay(user.created_at)} />
          </Section>
          <ProfileForm user={user} />
          <Section title={copy.money}>
            {/* The payout number (decision 24) is changed on the page of automatic payouts. */}
            <Cell
              icon="phone"
              title={copy.payoutNumber}
              subtitle={method ? sayMethod(method) : undefined}
              after={number ? groupPhone(number) : copy.noPayoutNumber}
              href="/ConfigurationRetrait"
            />
          </Section>
        </>
      ) : (
        <SkeletonRows count={4} label={copy.title} />
      )}
      <Button look="tinted" icon="logout" onClick={() => setAsking(true)}>
        {copy.logout}
      </Button>
      <CloseAccount onClosed={logout} />
      {asking ? (
        <Dialog
          title={copy.logoutTitle}
          onClose={() => setAsking(false)}
          actions={[
            { label: copy.logout, busy: leaving, run: leave },
            { label: kitCopy.cancel, look: "plain", run: () => setAsking(false) },
          ]}
        >
          {copy.logoutText}
        </Dialog>
      ) : null}
    </Page>
  );
}

function ProfileForm({ user }: { user: UserOnWire }) {
  const client = useQueryClient();
  const { display_name: name, country } = user;
  return (
    <ActForm
      of={act("PUT /api/users/:id", {
        params: { id: user.id },
        waits: true,
        button: copy.save,
        fields: {
          display_name: {
            label: copy.displayName,
            hint: copy.displayNameHint,
            placeholder: user.nom,
            max: 64,
            initial: name ?? "",
          },
          country: {
            label: copy.country,
            kind: "select",
            empty: copy.noCountry,
            choices: copy.countries.map(([value, label]) => ({ value, label })),
            initial: country ?? "",
          },
        },
        lack: (said) =>
          said["display_name"]?.trim() === (name ?? "") &&
          said["country"] === (country ?? "") &&
          kitCopy.unchanged,
        body: (said) => ({ ...said, display_name: said.display_name.trim() || null }),
        done: () => copy.saved,
        after: ({ user: saved }) => {
          if (saved) client.setQueryData(userQuery(saved.id).queryKey, saved);
        },
        failed: SAVE_FAILED,
      })}
    />
  );
}

const closing = identityCopy.closing;

/** Closes the seller's account (decision 99); the server says what has to be done before. */
export function CloseAccount({ onClosed }: { onClosed(): Promise<void> }) {
  const may = useSignedIn();
  return (
    <Acts
      of={act("POST /api/users/close", {
        button: closing.action,
        may,
        look: "danger-tinted",
        title: closing.title,
        text: closing.text,
        confirm: closing.yes,
        body: () => ({ confirm: true }),
        after: () => void onClosed(),
        failed: BUG_MESSAGE,
      })}
    />
  );
}
