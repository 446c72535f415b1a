import type { OpenAPIV3_1 } from "openapi-types";
import type { Parameter, Schema } from "../src/docs/docs.fr.ts";
import type { RouteRow } from "../src/http/server.ts";
import { type CallExamples, callOf } from "./call-examples.ts";
import type { TestPerson } from "./client.ts";
import { pathsOf, plant } from "./hostile.ts";

export type HostileRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

export type RouteSource = Pick<RouteRow, "method" | "url" | "route"> & {
  readonly operation: OpenAPIV3_1.OperationObject | null;
  readonly stage: CallExamples;
  /** Init data as Telegram signs it, about whatever `user` says. */
  signed(user: string): string;
};

/** One place of a route where a hostile value may stand, given the value. */
export type Place = (hostile: string) => HostileRequest;

const JSON_TYPE = { "content-type": "application/json" };
const HEADERS = [
  "accept",
  "accept-encoding",
  "accept-language",
  "content-type",
  "idempotency-key",
  "if-none-match",
  "x-forwarded-for",
  "x-telegram-init-data",
];
/** What pages read of their address: they are declared nowhere. */
const QUERY_OF_PAGES = [
  "tgWebAppStartParam",
  "reference",
  "idVendeur",
  "idProduit",
  "order",
  "app",
  "paymentId",
  "payment_id",
  "transaction_id",
  "transactionId",
  "id",
  "token",
];
const PERSON: Required<TestPerson> = {
  id: 7_001,
  first_name: "Awa",
  last_name: "Koné",
  username: "awa",
  language_code: "fr",
  allows_write_to_pm: true,
  photo_url: "https://t.me/i/userpic/320/awa.svg",
};

export type Places = {
  /** Parameters, query, the body and each of its fields. */
  readonly own: readonly Place[];
  /** What the frame reads alike of each request. */
  readonly headers: readonly Place[];
  /** Init data that is signed, of a route that reads it: the person's JSON and each of its fields. */
  readonly signed: readonly Place[];
};

/** Every place of the route. */
export function placesOf(source: RouteSource): Places {
  const { method, url, operation } = source;
  const { path: whole, body: sound = {} } = callOf(source, source.stage);
  const [address = "", query] = whole.split("?");
  const asPage = isPage(source);
  const sent = { method, path: whole, headers: JSON_TYPE };
  const body = method === "GET" ? null : JSON.stringify(sound);
  const read: HostileRequest["headers"] = asPage ? { accept: "text/html" } : {};
  const withBody = { ...sent, body, headers: body === null ? read : JSON_TYPE };
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name]) => name ?? "");
  const inPath = names.map(
    (name): Place =>
      (hostile) => ({
        ...withBody,
        path: url.replaceAll(/:(\w+)/g, (_, each: string) =>
          each === name ? segmentOf(hostile) : "1",
        ),
      }),
  );
  const declared = ((operation?.parameters ?? []) as Parameter[])
    .filter((each) => each.in === "query")
    .map(({ name }) => name);
  const inQuery = (asPage ? QUERY_OF_PAGES : declared).flatMap((name): Place[] => {
    const others = new URLSearchParams(query);
    others.delete(name);
    const starts = [`${name}=`, `${name}=1&${name}=`, `${name}[toString]=`];
    return starts.map((start) => (hostile) => ({
      ...withBody,
      path: `${address}?${others}&${start}${segmentOf(hostile)}`,
    }));
  });
  const headers = HEADERS.map(
    (name): Place =>
      (hostile) => ({
        ...withBody,
        headers: { ...withBody.headers, [name]: headerOf(hostile) },
      }),
  );
  const signed = source.route?.access === "init-data" ? placesInInitData(source, withBody) : [];
  const inAddress = [...inPath, ...inQuery];
  if (method === "GET") return { own: inAddress, headers, signed };
  const asBody: Place = (hostile) => ({ ...sent, body: hostile });
  const fields = fieldsOf(operation).map(
    (path): Place =>
      (hostile) => ({
        ...sent,
        body: plant(sound, path, hostile),
      }),
  );
  const own = [...inAddress, asBody, ...fields, ...formPlaces(source, address)];
  return { own, headers, signed };
}

/** Pages and their files, which know nobody by a token: nothing describes them. */
export function isPage({ method, operation }: RouteSource): boolean {
  return operation === null && method === "GET";
}

/** In the person whom Telegram's signature vouches for: the whole, and each field. */
function placesInInitData({ signed }: RouteSource, request: HostileRequest): Place[] {
  return pathsOf(PERSON).map((path) => (hostile) => ({
    ...request,
    headers: { ...request.headers, "x-telegram-init-data": signed(plant(PERSON, path, hostile)) },
  }));
}

/** Paths of a JSON body's fields, two levels deep. */
function fieldsOf(operation: OpenAPIV3_1.OperationObject | null): string[][] {
  const schema = contentOf(operation)["application/json"];
  const outer = Object.entries(schema?.properties ?? {});
  return outer.flatMap(([name, field]) => [
    [name],
    ...Object.keys(field.properties ?? field.anyOf?.[0]?.properties ?? {}).map((inner) => [
      name,
      inner,
    ]),
  ]);
}

function contentOf(operation: OpenAPIV3_1.OperationObject | null): Record<string, Schema> {
  const body = operation?.requestBody as OpenAPIV3_1.RequestBodyObject | undefined;
  const content = Object.entries(body?.content ?? {});
  return Object.fromEntries(content.map(([type, { schema }]) => [type, (schema ?? {}) as Schema]));
}

const BOUNDARY = "----hostile";

/** Of a call that takes a form: each field, sent as text and as a file, once and twice. */
function formPlaces({ method, operation }: RouteSource, path: string): Place[] {
  const schema = contentOf(operation)["multipart/form-data"];
  const names = [...Object.keys(schema?.properties ?? {}), "__proto__", "toString"];
  if (!schema) return [];
  const headers = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };
  const part = (name: string, value: string, file: string) =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
  return names.flatMap((name): Place[] =>
    ["", `; filename="x.png"\r\ncontent-type: image/png`].map((file) => (hostile) => {
      const parts = part(name, hostile, file) + part(name, hostile, "");
      return { method, path, headers, body: `${parts}--${BOUNDARY}--\r\n` };
    }),
  );
}

/** A text as it is, anything else as its JSON; no longer than an address may be. */
function segmentOf(hostile: string): string {
  return encodeURIComponent(textIn(hostile).slice(0, 1_500)) || "%00";
}

/** As it is, where a header can hold it. */
function headerOf(hostile: string): string {
  const text = textIn(hostile).slice(0, 500);
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text) ? text : encodeURIComponent(text);
}

function textIn(hostile: string): string {
  return (hostile.startsWith('"') ? (JSON.parse(hostile) as string) : hostile).toWellFormed();
}
