import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemChance } from "@sesame/kernel";
import { expect, test } from "vitest";
import type { EncodedImage } from "../../pictures/encode-image.ts";
import { keepImage } from "./image-files.ts";

test("a failure that is not the disk's stays what it is", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sesame-pictures-"));
  await writeFile(join(folder, "images"), "");
  const image = { files: [{ name: "360.jpg", bytes: Buffer.alloc(1) }] } as unknown as EncodedImage;
  const kept = keepImage({ config: { dataDir: folder }, chance: systemChance }, image);
  await expect(kept).rejects.toMatchObject({ code: "ENOTDIR" });
  await rm(folder, { recursive: true });
});
