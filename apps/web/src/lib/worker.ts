// The service worker (`src/worker/`): absent in some web views, as in iOS.

const ADDRESS = "/service-worker.js";

/** To be called when the phone is idle: nothing competes with the download of its files. */
export function registerWorker(): void {
  navigator.serviceWorker?.register(ADDRESS).catch((error: unknown) => {
    console.warn("service worker", error);
  });
}

/** Deletes the worker and its caches with the local data. */
export async function forgetWorker(): Promise<void> {
  try {
    const names = await caches.keys();
    await Promise.all(
      names.filter((name) => name.startsWith("sesame-")).map((name) => caches.delete(name)),
    );
    const workers = (await navigator.serviceWorker?.getRegistrations()) ?? [];
    await Promise.all(workers.map((worker) => worker.unregister()));
  } catch {
    // Storage is refused, or there is no worker: there is nothing to delete.
  }
}
