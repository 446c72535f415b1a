import { prepare } from "./launch/prepare.mjs";

await prepare();
const { runProduct } = await import("./launch/product.ts");
await runProduct(process.env);
