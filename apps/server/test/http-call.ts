/** What a test sends: `body` as JSON, `form` as multipart. */
export type CallOptions = {
  readonly token?: string;
  readonly body?: unknown;
  readonly form?: Readonly<Record<string, string | Blob>>;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Called<T> = {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, or the text when it is not JSON. */
  readonly body: T;
};

/** A refusal's body, which every call may answer. */
export type SomeBody = Readonly<Record<string, never>> & {
  readonly success?: boolean;
  readonly code?: string;
  readonly message?: string;
};

export async function callHttp<T = SomeBody>(
  address: { readonly url: string; readonly method: string },
  options: CallOptions = {},
): Promise<Called<T>> {
  const { method, url } = address;
  const headers = new Headers(options.headers);
  if (options.token !== undefined) headers.set("authorization", `Bearer ${options.token}`);
  let body: string | FormData | null = null;
  if (options.form) body = formOf(options.form);
  else if (options.body !== undefined) {
    body = typeof options.body === "string" ? options.body : JSON.stringify(options.body);
    if (!headers.has("content-type")) headers.set("content-type", "application/json");
  }
  const response = await fetch(url, { method, headers, body, redirect: "manual" });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parse(text) as T };
}

function formOf(fields: Readonly<Record<string, string | Blob>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, value, "file.bin");
  }
  return form;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
