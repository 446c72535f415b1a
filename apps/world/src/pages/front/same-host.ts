const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * This machine has several names, and each is another origin: the apps answer only the page whose
 * address the world announces. Gives where to go instead, or null.
 */
export function betterAddress(worldUrl: string): string | null {
  const { origin, hostname } = new URL(worldUrl);
  const bothHere = LOOPBACK.has(hostname) && LOOPBACK.has(location.hostname);
  return bothHere && origin !== location.origin ? origin + location.pathname : null;
}
