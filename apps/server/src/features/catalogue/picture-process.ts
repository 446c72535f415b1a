import { checkImageHeader } from "./image-header.ts";
import { encodeImage } from "./encode-image.ts";
import type { PictureAnswer, PictureTask } from "./picture-lane.ts";

/**
 * The process that touches the bytes of pictures: one encoding at a time, so that its memory is
 * bounded by one picture, and none of the server's own threads waits for a decoder. Headers are read
 * beside an encoding.
 */
let encoding: Promise<unknown> = Promise.resolve();

function answer(message: PictureAnswer): void {
  process.send?.(message);
}

async function work({ id, kind, bytes }: PictureTask): Promise<void> {
  try {
    if (kind === "check") answer({ id, checked: await checkImageHeader(bytes) });
    else answer({ id, encoded: await encodeImage(bytes) });
  } catch {
    // Whatever a decoder makes of bytes it was sent: they are no picture to us.
    answer({ id, checked: { ok: false, refusal: { kind: "catalogue.image-unreadable" } } });
  }
}

process.on("message", (task: PictureTask) => {
  if (task.kind === "check") void work(task);
  else encoding = encoding.then(() => work(task));
});
process.on("disconnect", () => process.exit(0));
