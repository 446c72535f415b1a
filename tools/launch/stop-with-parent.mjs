/**
 * Loaded before the program of a child: when the parent dies, even by kill -9, the child gets the
 * SIGTERM that the parent could not send.
 */
const parent = process.ppid;
const CHECK_EVERY_MS = 200;

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
}, CHECK_EVERY_MS).unref();
