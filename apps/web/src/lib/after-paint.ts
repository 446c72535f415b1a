/** A page in the background shows no frames. */
const LATEST_MS = 200;

/** Runs once, after the browser has shown the frame it is preparing. */
export function afterPaint(run: () => void): void {
  let done = false;
  const runOnce = () => {
    if (!done) run();
    done = true;
  };
  requestAnimationFrame(() => setTimeout(runOnce));
  setTimeout(runOnce, LATEST_MS);
}
