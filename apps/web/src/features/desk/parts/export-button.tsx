import { useState } from "react";
import { sayError } from "../../../lib/request.ts";
import { Button } from "../../../ui/button.tsx";
import { toast } from "../../../ui/toast.tsx";
import { deskCopy } from "../messages.fr.ts";
import { downloadCsv } from "../download-csv.ts";

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
