import type { OpenAPIV3_1 } from "openapi-types";
import type { Parameter, Schema } from "../src/docs/docs.fr.ts";
import type { RouteRow } from "../src/http/server.ts";
import { callOf, type Stage } from "./authorization-stage.ts";
import { OWN_TO_STRING, plant } from "./hostile-json.ts";

export type HostileRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

export type RouteSource = Pick<RouteRow, "method" | "url" | "route"> & {
  readonly operation: OpenAPIV3_1.OperationObject | null;
  readonly stage: Stage;
};

/** One place of a route where a hostile value may stand, given the value. */
export type Place = (hostile: string) => HostileRequest;

const JSON_TYPE = { "content-type": "application/json" };
const HEADERS = ["idempotency-key", "x-forwarded-for"];

/** Every place of the route: parameters, query, headers, the body and each of its fields. */
export function placesOf(source: RouteSource): Place[] {
  const { method, url, operation } = source;
  const { path: whole, body: sound = {} } = callOf(source, source.stage);
  const [address = "", query] = whole.split("?");
  const sent = { method, path: whole, headers: JSON_TYPE };
  const body = method === "GET" ? null : JSON.stringify(sound);
  const withBody = { ...sent, body, headers: body === null ? {} : JSON_TYPE };
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
  const queried = ((operation?.parameters ?? []) as Parameter[]).filter(
    (each) => each.in === "query",
  );
  const inQuery = queried.flatMap(({ name }): Place[] => {
    const others = new URLSearchParams(query);
    others.delete(name);
    const starts = [`${name}=`, `${name}=1&${name}=`, `${name}[toString]=`];
    return starts.map((start) => (hostile) => ({
      ...withBody,
      path: `${address}?${others}&${start}${segmentOf(hostile)}`,
    }));
  });
  const inHeaders = HEADERS.map(
    (name): Place =>
      (hostile) => ({
        ...withBody,
        headers: { ...withBody.headers, [name]: headerOf(hostile) },
      }),
  );
  if (method === "GET") return [...inPath, ...inQuery];
  const asBody: Place = (hostile) => ({ ...sent, body: hostile });
  const fields = fieldsOf(operation).map(
    (path): Place =>
      (hostile) => ({
        ...sent,
        body: plant(sound, path, hostile),
      }),
  );
  return [...inPath, ...inQuery, ...inHeaders, asBody, ...fields, ...formPlaces(source, address)];
}

/** The requests of a sample that must not be missing. */
export function certainOf(source: RouteSource): HostileRequest[] {
  return placesOf(source).map((place) => place(OWN_TO_STRING));
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

function headerOf(hostile: string): string {
  return encodeURIComponent(textIn(hostile).slice(0, 500));
}

function textIn(hostile: string): string {
  return (hostile.startsWith('"') ? (JSON.parse(hostile) as string) : hostile).toWellFormed();
}
