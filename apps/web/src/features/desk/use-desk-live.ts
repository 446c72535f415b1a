import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { openRealtime } from "../../lib/realtime.ts";
import { DESK } from "./queries.ts";
import { deskToken } from "./session.ts";

/** What another agent does, or a provider says, is seen at once. */
export function useDeskLive(): void {
  const client = useQueryClient();
  useEffect(() => {
    const refresh = () => void client.invalidateQueries({ queryKey: [DESK] });
    return openRealtime({
      token: deskToken,
      events: ["desk:changed"],
      on: refresh,
      reconnected: refresh,
    });
  }, [client]);
}
