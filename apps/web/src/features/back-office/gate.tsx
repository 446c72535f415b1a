import { readInstance } from "../../lib/instance.ts";
import { Button, TintedButton, PlainButton } from "../../kit/button.tsx";
import { Card, Text } from "../../kit/layout.tsx";
import { kitCopy } from "../../kit/messages.fr.ts";
import { FirstPaint } from "../../kit/skeleton.tsx";
import { Alone } from "../../kit/screen.tsx";
import { copyAloud, Note } from "../../kit/records.tsx";
import { staffCopy } from "./messages.fr.ts";
import type { StaffGateState } from "./session.ts";

const copy = staffCopy.gate;

/** The screen of a person who may not enter the back office, or not yet. */
export function StaffGate(props: {
  state: Exclude<StaffGateState, { at: "ready" }>;
  onRetry(): void;
}) {
  const { state } = props;
  const { sellerBot } = readInstance();
  switch (state.at) {
    case "loading":
      return <FirstPaint words={copy.entering} />;
    case "outside":
      return (
        <Alone drawing="phone" title={copy.outsideTitle} text={copy.outsideText}>
          {sellerBot ? (
            <Button icon="send" onClick={() => location.assign(`https://t.me/${sellerBot}`)}>
              {copy.openBot}
            </Button>
          ) : null}
        </Alone>
      );
    case "failed":
      return (
        <Alone drawing="broken" title={copy.failed} text={state.message} alert>
          <Button onClick={props.onRetry}>{kitCopy.retry}</Button>
        </Alone>
      );
    case "stranger":
      return <Stranger telegramId={state.telegramId} />;
  }
}

/** Anybody may open the address: the screen shows the person's Telegram id, and whom to ask. */
function Stranger({ telegramId }: { telegramId: number }) {
  const id = String(telegramId);
  return (
    <Alone drawing="door" title={copy.strangerTitle} text={copy.strangerText}>
      <Note>{copy.strangerHint}</Note>
      <Card as="dl" gap={0}>
        <Note as="dt">{copy.identifier}</Note>
        <Text as="dd" size="heading">
          {id}
        </Text>
      </Card>
      <TintedButton icon="copy" onClick={() => void copyAloud(id)}>
        {copy.copyIdentifier}
      </TintedButton>
      <PlainButton onClick={() => location.assign("/")}>{copy.toSeller}</PlainButton>
    </Alone>
  );
}
