import { addMs, DAY_MS } from "@sesame/kernel";
import type { CatalogueDeps } from "./deps.ts";
import { deleteImages, findUnused, markUnused } from "./images.store.ts";

const BATCH = 100;

/**
 * Removes the pictures of archived products and those that were replaced, a day after: pages kept by
 * a browser or a proxy go on showing them until then. The files go first, so that a process that
 * dies between leaves a row, which the next sweep takes.
 */
export async function sweepImages({ db, files }: CatalogueDeps, now: Date): Promise<void> {
  await markUnused(db, now);
  for (;;) {
    const ids = await findUnused(db, { before: addMs(now, -DAY_MS), limit: BATCH });
    for (const id of ids) await files.forget(id);
    if (ids.length > 0) await db.transaction().execute((tx) => deleteImages(tx, ids));
    if (ids.length < BATCH) return;
  }
}
