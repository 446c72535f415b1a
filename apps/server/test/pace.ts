/** For load that comes at a pace. Whoever waits for something looks with `eventually`. */
export { setTimeout as pace } from "node:timers/promises";
