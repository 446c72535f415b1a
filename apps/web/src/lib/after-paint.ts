/** Of a page that is not looked at no frame is shown. */
const LATEST_MS = 200;

/** Runs once, when the frame that is being prepared has been shown. */
export function afterPaint(run: () => void): void {
  let done = false;
  const runOnce = () => {
    if (!done) run();
    done = true;
  };
  requestAnimationFrame(() => setTimeout(runOnce));
  setTimeout(runOnce, LATEST_MS);
}
