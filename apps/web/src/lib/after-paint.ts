/** Once the frame that is being prepared has been shown. */
export function afterPaint(run: () => void): void {
  requestAnimationFrame(() => setTimeout(run));
}
