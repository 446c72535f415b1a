// The service worker (`src/worker/`): absent where the web view has none, as in iOS.

const ADDRESS = "/service-worker.js";

/** To be called when the phone is idle: its files are fetched beside nothing that waits. */
export function registerWorker(): void {
  navigator.serviceWorker?.register(ADDRESS).catch((error: unknown) => {
    console.warn("service worker", error);
  });
}

/** With the local data goes what the worker keeps, and the worker. */
export async function forgetWorker(): Promise<void> {
  try {
    const names = await caches.keys();
    await Promise.all(
      names.filter((name) => name.startsWith("sesame-")).map((name) => caches.delete(name)),
    );
    const workers = (await navigator.serviceWorker?.getRegistrations()) ?? [];
    await Promise.all(workers.map((worker) => worker.unregister()));
  } catch {
    // Refused storage, or no worker at all: there is nothing to forget.
  }
}
