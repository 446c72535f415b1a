import { prepare } from "./launch/prepare.mjs";

await prepare();
const { lowerBudget } = await import("./architecture/budget.ts");
lowerBudget();
