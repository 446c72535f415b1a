import { BYTE_ORDER_MARK } from "@sesame/contract/csv";
import { useState } from "react";
import { offerFile } from "../../../lib/offer-file.ts";
import { RequestError, sayError } from "../../../lib/request.ts";
import { Button } from "../../../kit/button.tsx";
import { toast } from "../../../kit/toast.tsx";
import { deskCopy } from "../messages.fr.ts";
import { deskToken } from "../session.ts";

export function ExportButton({ path, name }: { path: string; name: string }) {
  const [busy, setBusy] = useState(false);
  const run = () => {
    setBusy(true);
    downloadCsv(path, name)
      .catch((error: Error) => toast(sayError(error, deskCopy.exportFailed), "bad"))
      .finally(() => setBusy(false));
  };
  return (
    <Button look="tinted" icon="arrowIn" busy={busy} onClick={run}>
      {deskCopy.exportCsv}
    </Button>
  );
}

/** A file the server writes: asked with the token, which an address must not carry. */
async function downloadCsv(path: string, name: string): Promise<void> {
  const failed = (status: number) =>
    new RequestError(deskCopy.exportFailed, { status, code: "export" });
  const answer = await fetch(path, {
    headers: { authorization: `Bearer ${deskToken() ?? ""}` },
  }).catch(() => {
    throw failed(0);
  });
  if (!answer.ok) throw failed(answer.status);
  const text = await answer.text();
  // Reading as text drops the mark by which spreadsheets know UTF-8.
  await offerFile(name, text.startsWith(BYTE_ORDER_MARK) ? text : BYTE_ORDER_MARK + text);
}
