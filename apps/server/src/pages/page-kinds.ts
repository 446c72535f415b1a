import { bestEncoding, type EncodedOnce } from "../http/compress.ts";
import { createRecent } from "../http/recent.ts";
import { createSplicedGzip } from "../http/spliced-gzip.ts";
import { type BuyerHead, buyerParts, escapeJson } from "./buyer-html.ts";
import type { Site } from "./site.ts";

type Page = { readonly view: { readonly at: string } };

/** What the documents of one kind share. */
type Frame = {
  readonly before: string;
  readonly after: string;
  readonly gzip: (end: Buffer) => Buffer;
};

/** A few kinds, times what the bot is called and which providers are open at the moment. */
const KEPT_FRAMES = 16;

/**
 * Pages of which only the JSON differs: an order's, a payment's. The server renders nothing of the
 * number in their address (a test of the buyers' page says so), so everything else is rendered and
 * compressed once for all of them: 7 ms of work become less than one.
 */
export function createPageKinds(site: Site, head: BuyerHead) {
  const frames = createRecent<Frame>(KEPT_FRAMES);
  const frameOf = (page: Page): Frame =>
    frames.get(kindOf(page), () => {
      const { before, after } = buyerParts(site, head, page);
      return { before, after, gzip: createSplicedGzip(Buffer.from(before)) };
    });
  return {
    bodyIn(page: Page): EncodedOnce {
      const { before, after, gzip } = frameOf(page);
      const end = escapeJson(page) + after;
      return async (encoding) =>
        encoding === "gzip" ? gzip(Buffer.from(end)) : Buffer.from(before + end);
    },
    /** Brotli cannot be put together from parts: who reads it reads gzip too. */
    encodingFor: (accepted: string | undefined) =>
      bestEncoding(accepted?.includes("gzip") ? "gzip" : ""),
  };
}

/** Two views are of one kind when they say the same things, whatever they say of them. */
function kindOf({ view, ...shared }: Page): string {
  const says = Object.entries(view).map(([name, value]) => [name, value === null]);
  return JSON.stringify([view.at, says, shared]);
}
