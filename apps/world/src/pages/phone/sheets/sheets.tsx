import type { ChatKind } from "../../../wire.ts";
import { phoneCopy } from "../copy.fr.ts";
import { Cell, Section } from "../parts/cells.tsx";
import { Icon } from "../parts/icon.tsx";
import { BottomSheet } from "../parts/sheet.tsx";
import { usePhone } from "../phone-context.ts";
import { AddBotSheet } from "./add-bot-sheet.tsx";
import { InviteSheet } from "./invite-sheet.tsx";
import { InvoiceSheet } from "./invoice-sheet.tsx";
import { ShareSheet } from "./share-sheet.tsx";

export function Sheets() {
  const { sheet } = usePhone().ui;
  switch (sheet?.kind) {
    case "invite":
      return <InviteSheet invite={sheet.invite} />;
    case "addBot":
      return <AddBotSheet link={sheet.link} url={sheet.url} />;
    case "share":
      return <ShareSheet text={sheet.text} />;
    case "invoice":
      return <InvoiceSheet invoice={sheet.invoice} onClosed={sheet.onClosed} />;
    case "compose":
      return <ComposeSheet />;
    case undefined:
      return null;
  }
}

const KINDS: ChatKind[] = ["supergroup", "channel", "group"];

function ComposeSheet() {
  const { dispatch } = usePhone();
  const copy = phoneCopy.create;
  return (
    <BottomSheet label={copy.menu} onClose={() => dispatch({ type: "sheet", sheet: null })}>
      <Section>
        {KINDS.map((kind) => (
          <Cell
            key={kind}
            title={copy.title[kind]}
            label={copy.title[kind]}
            subtitle={copy.hint[kind]}
            before={<Icon name={kind === "channel" ? "channel" : "group"} size={26} />}
            onClick={() => dispatch({ type: "push", screen: { at: "create", kind } })}
          />
        ))}
      </Section>
    </BottomSheet>
  );
}
