/**
 * Loaded before a child's own program: when whoever started it dies, even by kill -9, the child
 * gets the SIGTERM its parent could no longer send.
 */
const parent = process.ppid;
const CHECK_EVERY_MS = 200;

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
}, CHECK_EVERY_MS).unref();
