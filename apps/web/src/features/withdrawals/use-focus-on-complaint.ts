import { useEffect, useRef } from "react";

const WRONG = '[aria-invalid="true"], button[data-wrong], [role="alert"]';

/** Brings the person to what is wrong in a form: the field says why, in its description. */
export function useFocusOnComplaint(complaint: object | null) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!complaint) return;
    const wrong = form.current?.querySelector<HTMLElement>(WRONG);
    wrong?.scrollIntoView({ block: "center" });
    wrong?.focus({ preventScroll: true });
  }, [complaint]);
  return form;
}
