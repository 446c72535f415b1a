import type { Frame, Page, Request } from "@playwright/test";

const underWay = new WeakMap<Page, Set<Request>>();

/** What the page has asked for and not got yet, from the first call on; a stream has no end. */
export function requestsOf(page: Page): Set<Request> {
  const known = underWay.get(page);
  if (known) return known;
  const asked = new Set<Request>();
  underWay.set(page, asked);
  page.on("request", (request) => {
    if (request.resourceType() !== "eventsource") asked.add(request);
  });
  page.on("requestfinished", (request) => asked.delete(request));
  page.on("requestfailed", (request) => asked.delete(request));
  return asked;
}

/** Settled, and nothing asked for is on its way. → whether code came meanwhile. */
export async function quiet(page: Page): Promise<boolean> {
  const asked = requestsOf(page);
  let codeCame = false;
  for (await settled(page); asked.size > 0; await settled(page)) {
    codeCame ||= [...asked].some((request) => request.resourceType() === "script");
    const ends = [...asked].map(async (request) => (await request.response())?.finished());
    await Promise.allSettled(ends);
  }
  return codeCame;
}

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
