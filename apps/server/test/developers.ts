import {
  type DeliveryOnWire,
  type DeveloperKeyOnWire,
  type EndpointOnWire,
  EVENT_TYPES,
  KEY_SCOPES,
} from "@sesame/contract/developers";
import type { AnswerOf } from "@sesame/contract/routes";
import { assert } from "@sesame/kernel";
import type { SignedInSeller, TestApp } from "./harness.ts";

type DeliveriesAnswer = AnswerOf<"GET /api/developers/deliveries">;
type DeliveryAnswer = AnswerOf<"GET /api/developers/deliveries/:id">;
type EndpointSecretAnswer = AnswerOf<"POST /api/developers/endpoints">;
type KeyAnswer = AnswerOf<"POST /api/developers/keys">;

type MadeKey = { readonly key: DeveloperKeyOnWire; readonly secret: string };
type MadeEndpoint = { readonly endpoint: EndpointOnWire; readonly secret: string };

/** What a seller does with keys and endpoints, and what his programs receive. */
export function createDeveloperFixtures(app: TestApp) {
  const addEndpoint = async (
    seller: SignedInSeller,
    choice: { readonly url: string; readonly events?: readonly string[] },
  ): Promise<MadeEndpoint> => {
    const answer = await app.call<EndpointSecretAnswer>("POST", "/api/developers/endpoints", {
      token: seller.token,
      body: { events: EVENT_TYPES, ...choice },
    });
    assert(answer.status === 201, `adding answered ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    addEndpoint,
    async createKey(
      seller: SignedInSeller,
      scopes: readonly string[] = KEY_SCOPES,
    ): Promise<MadeKey> {
      const answer = await app.call<KeyAnswer>("POST", "/api/developers/keys", {
        token: seller.token,
        body: { name: "Mon site", scopes },
      });
      const { key, secret } = answer.body;
      assert(answer.status === 201 && secret !== null, `no key: ${JSON.stringify(answer.body)}`);
      return { key, secret };
    },
    /** An endpoint of the emulators' developer, with its secret. */
    async listen(seller: SignedInSeller, name: string, events?: readonly string[]) {
      const url = `${app.emulators.apiRoot}/developer/hooks/${name}`;
      const made = await addEndpoint(seller, { url, ...(events ? { events } : {}) });
      const hook = app.emulators.developer.hook(name);
      hook.secret = made.secret;
      return { ...made, hook };
    },
    async ping(seller: SignedInSeller, endpointId: string): Promise<DeliveryOnWire> {
      const path = `/api/developers/endpoints/${endpointId}/ping`;
      const answer = await app.call<DeliveryAnswer>("POST", path, seller);
      assert(answer.status === 200, `the test answered ${JSON.stringify(answer.body)}`);
      return answer.body.delivery;
    },
    async deliveries(seller: SignedInSeller): Promise<DeliveryOnWire[]> {
      const answer = await app.call<DeliveriesAnswer>("GET", "/api/developers/deliveries", seller);
      return answer.body.deliveries;
    },
    async delivery(seller: SignedInSeller, id: string): Promise<DeliveryAnswer> {
      const path = `/api/developers/deliveries/${id}`;
      return (await app.call<DeliveryAnswer>("GET", path, seller)).body;
    },
  };
}
