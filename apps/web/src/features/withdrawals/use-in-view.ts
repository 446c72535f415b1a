import { type RefObject, useEffect, useState } from "react";

/** Whether the element is on the screen now; false while nobody can tell. */
export function useInView(target: RefObject<Element | null>): boolean {
  const [inView, setInView] = useState(false);
  useEffect(() => {
    const element = target.current;
    if (!element || !("IntersectionObserver" in window)) return;
    const observer = new IntersectionObserver(
      (entries) => setInView(entries.some((entry) => entry.isIntersecting)),
      { threshold: 0.6 },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [target]);
  return inView;
}
