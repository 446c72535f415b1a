export { choosePlan } from "./choose-plan.ts";
