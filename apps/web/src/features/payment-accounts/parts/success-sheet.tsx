import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { botLinksQuery } from "../../../lib/resources.ts";
import { openTelegramLink } from "../../../telegram/native.ts";
import { Button } from "../../../kit/button.tsx";
import { Arch, Stack } from "../../../kit/layout.tsx";
import { Sheet } from "../../../kit/modal.tsx";
import { aggregatorsCopy } from "../messages.fr.ts";

const copy = aggregatorsCopy.success;
const SETTINGS = "/PaymentsSheetsIndex";

/** B §9: read for two seconds, unless a touch says that it is being read. */
const SHOWN_MS = 2_000;

/** 'Parfait !': what comes next. `leaves`: goes to the settings by itself. */
export function SuccessSheet({ name, leaves }: { name: string | null; leaves?: boolean }) {
  const [, navigate] = useLocation();
  const links = useQuery(botLinksQuery);
  const [staying, setStaying] = useState(!leaves);
  useEffect(() => {
    if (staying) return;
    const timer = setTimeout(() => navigate(SETTINGS), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [staying, navigate]);
  const stay = () => setStaying(true);
  const addGroup = () => {
    const link = links.data?.group;
    if (link) openTelegramLink(link);
    navigate("/GroupeListe");
  };
  return (
    <Sheet title={copy.title} onClose={() => navigate(SETTINGS)}>
      <Stack center onPointerDown={stay} onKeyDown={stay}>
        <Arch icon="check" large />
        <p role="status">{copy.text(name)}</p>
        <Button icon="people" onClick={addGroup}>
          {copy.group}
        </Button>
        <Button look="tinted" icon="plus" onClick={() => navigate("/AjouterMethode")}>
          {copy.another}
        </Button>
        <Button look="plain" onClick={() => navigate(SETTINGS)}>
          {copy.close}
        </Button>
      </Stack>
    </Sheet>
  );
}
