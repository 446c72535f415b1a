import type { Frame, Page } from "@playwright/test";

/** Until nothing moves: letters are there, animations have ended, and what follows is painted. */
export async function settled(page: Page): Promise<void> {
  await Promise.all(page.frames().map(settle));
}

async function settle(frame: Frame): Promise<void> {
  // A frame out of sight is painted by nobody: it would be waited for in vain.
  if (frame.parentFrame() && !(await (await frame.frameElement()).isVisible())) return;
  await frame.evaluate(async () => {
    const painted = () =>
      new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(done));
      });
    await document.fonts.ready;
    await painted();
    const ends = document.getAnimations().filter(({ effect, playState, timeline }) => {
      const endTime = effect?.getComputedTiming().endTime;
      return playState === "running" && timeline === document.timeline && endTime !== Infinity;
    });
    // One that is cancelled has ended too.
    await Promise.allSettled(ends.map(({ finished }) => finished));
    await painted();
  });
}
