import { EVENT_TYPES, KEY_SCOPES } from "@sesame/contract/developers";
import { assert } from "@sesame/kernel";
import type { SignedInSeller, TestApp } from "./harness.ts";

/** What a seller does with keys and endpoints, and what his programs receive. */
export function createDeveloperFixtures(app: TestApp) {
  const addEndpoint = (
    seller: SignedInSeller,
    choice: { readonly url: string; readonly events?: readonly string[] },
  ) => app.done("POST /api/developers/endpoints", seller, { events: EVENT_TYPES, ...choice });
  return {
    addEndpoint,
    async createKey(seller: SignedInSeller, scopes: readonly string[] = KEY_SCOPES) {
      const choice = { name: "Mon site", scopes };
      const { key, secret } = await app.done("POST /api/developers/keys", seller, choice);
      assert(secret !== null, "a new key has its secret");
      return { key, secret };
    },
    /** An endpoint of the emulators' developer, with its secret. */
    async listen(seller: SignedInSeller, name: string, events?: readonly string[]) {
      const url = `${app.emulators.apiRoot}/developer/hooks/${name}`;
      const made = await addEndpoint(seller, { url, ...(events && { events }) });
      const hook = app.emulators.developer.hook(name);
      hook.secret = made.secret;
      return { ...made, hook };
    },
    ping: async (seller: SignedInSeller, id: string) =>
      (await app.done("POST /api/developers/endpoints/:id/ping", seller, { id })).delivery,
    deliveries: async (seller: SignedInSeller) =>
      (await app.read("GET /api/developers/deliveries", seller)).deliveries,
    delivery: (seller: SignedInSeller, id: string) =>
      app.read("GET /api/developers/deliveries/:id", seller, { id }),
  };
}
