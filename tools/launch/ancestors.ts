import { readFileSync } from "node:fs";

const CHECK_EVERY_MS = 250;

/**
 * Calls back when the program that runs us for someone (npm, its shell, our own wrapper) is gone:
 * npm dies at once on SIGTERM and does not pass it on. Someone who runs us directly may leave.
 */
export function onAbandoned(callback: () => void): void {
  const watched = watchedChain();
  if (watched.length === 0) return;
  const timer = setInterval(() => {
    if (watched.every(({ pid, parent }) => parentOf(pid) === parent)) return;
    clearInterval(timer);
    callback();
  }, CHECK_EVERY_MS);
  timer.unref();
}

type Link = { pid: number; parent: number };

function watchedChain(): Link[] {
  const byNpm = process.env.npm_lifecycle_event !== undefined;
  if (process.env.SESAME_WRAPPED !== "1" && !byNpm) return [];
  const chain: Link[] = [];
  let pid = process.pid;
  // From us up to npm itself: whoever started npm may go.
  for (let depth = 0; depth < 4; depth += 1) {
    const parent = parentOf(pid);
    if (parent <= 1) break;
    chain.push({ pid, parent });
    const name = nameOf(parent);
    if (name.startsWith("npm")) return chain;
    if (!byNpm) return chain;
    pid = parent;
  }
  return chain.slice(0, 1);
}

function parentOf(pid: number): number {
  if (pid === process.pid) return process.ppid;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in parentheses, may itself contain spaces.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return 0;
  }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
