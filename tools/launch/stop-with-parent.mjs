import { readFileSync } from "node:fs";

/**
 * Loaded before a program: when its parent dies, even by kill -9, the program gets the SIGTERM that
 * the parent could not send. Under npm the parent is a shell, and npm itself is watched too.
 */
const parent = process.ppid;
const CHECK_EVERY_MS = 200;

const read = (pid, name) => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
};
const isBelowShell = process.env.npm_lifecycle_event && !read(parent, "cmdline").startsWith("npm");
const lineage = () =>
  `${process.ppid} ${isBelowShell ? /^PPid:.*/m.exec(read(parent, "status")) : ""}`;
const first = lineage();

setInterval(() => {
  if (lineage() !== first) process.kill(process.pid, "SIGTERM");
}, CHECK_EVERY_MS).unref();
