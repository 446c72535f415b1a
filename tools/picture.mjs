import { prepare } from "./launch/prepare.mjs";

await prepare();
const { takePicture } = await import("../e2e/picture.ts");
await takePicture();
