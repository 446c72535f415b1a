import { copyText } from "../../../lib/copy-text.ts";
import { haptic } from "../../../telegram/native.ts";
import { Button } from "../../../kit/button.tsx";
import { Stack, Text } from "../../../kit/layout.tsx";
import { toast } from "../../../kit/toast.tsx";
import { developersCopy as copy } from "../messages.fr.ts";

/** What is shown once. It is in no cache: closed, it is gone. */
export function SecretShown(props: { text: string; secret: string; onClose(): void }) {
  const take = async () => {
    const done = await copyText(props.secret);
    haptic(done ? "success" : "error");
    toast(done ? copy.copied : copy.copyFailed, done ? "good" : "bad");
  };
  return (
    <Stack>
      <Text tone="soft">{props.text}</Text>
      <Text as="code" code pad size="small" hollow>
        {props.secret}
      </Text>
      <Button icon="copy" onClick={() => void take()}>
        {copy.copy}
      </Button>
      <Button look="plain" onClick={props.onClose}>
        {copy.understood}
      </Button>
    </Stack>
  );
}
