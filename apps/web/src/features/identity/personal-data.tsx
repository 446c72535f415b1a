import { BUG_MESSAGE } from "@sesame/contract";
import { call } from "../../lib/api.ts";
import { offerFile } from "../../lib/offer-file.ts";
import { haptic, openLink } from "../../telegram/native.ts";
import { TintedButton } from "../../kit/button.tsx";
import { Page } from "../../kit/screen.tsx";
import { Cell, Section } from "../../kit/layout.tsx";
import { useAsking } from "../../kit/paged.tsx";
import { toast } from "../../kit/toast.tsx";
import { act, Acts, useSignedIn } from "../../kit/use-action.tsx";
import { dataCopy as copy } from "./data-messages.fr.ts";

/** /mes-donnees: what is kept of the seller, to be had and to be erased (decision 101). */
export function PersonalData({ onErased }: { onErased(): Promise<void> }) {
  const may = useSignedIn();
  const [busy, make] = useAsking(async () => {
    const data = await call("GET /api/me/export", { timeoutMs: 20_000 });
    await offerFile("sesame-mes-donnees.json", JSON.stringify(data, null, 2), "application/json");
    haptic("success");
    toast(copy.exportDone);
  }, copy.exportFailed);
  return (
    <Page title={copy.title} subtitle={copy.subtitle}>
      <Section>
        <Cell
          icon="shield"
          title={copy.privacy}
          subtitle={copy.privacyText}
          onClick={() => openLink("/confidentialite")}
          chevron
        />
        <Cell icon="document" title={copy.terms} onClick={() => openLink("/conditions")} chevron />
      </Section>
      <Section pad title={copy.export}>
        <p>{copy.exportText}</p>
        <TintedButton icon="document" busy={busy} disabled={!may.allowed} onClick={make}>
          {copy.export}
        </TintedButton>
      </Section>
      <Section pad title={copy.erase}>
        <p>{copy.eraseText}</p>
        <Acts
          of={act("POST /api/me/delete", {
            button: copy.erase,
            may,
            look: "danger-tinted",
            icon: "trash",
            title: copy.confirmTitle,
            text: copy.confirmText,
            confirm: copy.confirmYes,
            body: () => ({ confirm: true }),
            after: () => void onErased(),
            failed: BUG_MESSAGE,
          })}
        />
      </Section>
    </Page>
  );
}
