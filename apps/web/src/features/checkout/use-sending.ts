import { useState } from "react";
import { sayError } from "../../lib/request.ts";
import { checkoutCopy } from "./messages.fr.ts";

type Sending = {
  readonly busy: boolean;
  readonly complaint: string | null;
  /** One at a time; what goes wrong is said in the server's words. */
  run(send: () => Promise<unknown>): Promise<void>;
};

export function useSending(): Sending {
  const [state, setState] = useState<{ busy: boolean; complaint: string | null }>({
    busy: false,
    complaint: null,
  });
  return {
    ...state,
    async run(send) {
      if (state.busy) return;
      setState({ busy: true, complaint: null });
      try {
        await send();
        setState({ busy: false, complaint: null });
      } catch (error) {
        setState({ busy: false, complaint: sayError(error, checkoutCopy.care.failed) });
      }
    },
  };
}
