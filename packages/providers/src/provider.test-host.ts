import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { text as readText } from "node:stream/consumers";
import { assert, fcfa, Outage } from "@sesame/kernel";
import { afterEach, expect } from "vitest";
import { listen } from "../../../tools/testing/listen.ts";
import type { PaymentName, PaymentRequest, PayoutRequest } from "./port.ts";

export type SeenCall = {
  readonly call: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
};

/** The provider's answer to one call; `silent` never answers. */
export type ScriptedAnswer =
  | { readonly status?: number; readonly body: unknown; readonly headers?: Record<string, string> }
  | "silent"
  | "hang-up";

export type ProviderHost = Awaited<ReturnType<typeof hostProvider>>;

/** A provider on its own port, with the test's answers. Text is sent unchanged. */
export async function hostProvider(answer: (seen: SeenCall) => ScriptedAnswer) {
  /** In order of arrival. */
  const calls: SeenCall[] = [];
  const server = await listen(async (request, response) => {
    const text = await readText(request);
    const call = `${request.method} ${request.url}`;
    const seen = { call, headers: request.headers, body: text ? JSON.parse(text) : null };
    calls.push(seen);
    const said = answer(seen);
    if (said === "silent") return;
    assert(said !== "hang-up", "a handler that throws cuts the connection");
    const body = typeof said.body === "string" ? said.body : JSON.stringify(said.body);
    response.writeHead(said.status ?? 200, said.headers ?? {}).end(body);
  });
  return { apiRoot: server.url, calls, close: server.close };
}

/** The provider of one test, closed after it; a second one in the same test closes the first. */
export function hostEach() {
  let host: ProviderHost | null = null;
  const close = async () => {
    await host?.close();
    host = null;
  };
  afterEach(close);
  const hosting = async (answer: (seen: SeenCall) => ScriptedAnswer): Promise<string> => {
    await close();
    host = await hostProvider(answer);
    return host.apiRoot;
  };
  return {
    /** → the provider's address. */
    hosting,
    /** → the provider's address. The longest key of `answers` contained in the call gives its answer. */
    answering: (
      answers: ScriptedAnswer | Record<string, ScriptedAnswer>,
      otherwise: ScriptedAnswer = { status: 404, body: { message: "Not found" } },
    ) =>
      hosting(({ call }) => {
        if (typeof answers === "string" || "body" in answers) return answers as ScriptedAnswer;
        const named = Object.keys(answers).filter((name) => call.includes(name));
        const [longest = ""] = named.sort((one, other) => other.length - one.length);
        return answers[longest] ?? otherwise;
      }),
    calls: () => host?.calls ?? [],
  };
}

/** A provider's answers and webhooks by name, from its documents. */
export const recordedBy =
  (provider: string) =>
  (name: string): Record<string, unknown> => {
    const file = new URL(`./${provider}/recorded/answers.json`, import.meta.url);
    return JSON.parse(readFileSync(file, "utf8"))[name];
  };

export const PAYMENT: PaymentRequest = {
  reference: "17-2",
  amount: fcfa(5000),
  description: "Accès au groupe",
  returnUrl: "https://app.example/paiement/retour/abc",
  webhookUrl: "https://app.example/webhooks/x",
  customer: { email: "awa@example.com", firstName: "Awa", lastName: "Diop" },
};

/** What is stored of that payment. */
export const paymentName = (providerPaymentId: string): PaymentName => ({
  providerPaymentId,
  reference: "17-2",
  amount: fcfa(5000),
  quote: null,
  reportedTransactionIds: [],
});

export const PAYOUT: PayoutRequest = {
  reference: "wd-17-1",
  withdrawalId: "17",
  amount: fcfa(5000),
  method: "mtn-benin",
  phone: "+2290197000000",
  description: "Retrait 17",
  recipient: { firstName: "Awa", lastName: "Diop", email: "17@app.example" },
  callbackUrl: "https://app.example/webhooks/x",
};

/** An address without a listener: port 2, which no system assigns. */
export const nobodyListening = (): string => "http://127.0.0.1:2";

export async function outageOf(promise: Promise<unknown>): Promise<Outage> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Outage);
  return error as Outage;
}
