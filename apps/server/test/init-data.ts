import { createHmac } from "node:crypto";

/** A Telegram user, as init data carries him. */
export type TestPerson = {
  readonly id: number;
  readonly first_name: string;
  readonly last_name?: string;
  readonly username?: string;
  readonly language_code?: string;
  readonly allows_write_to_pm?: boolean;
  readonly photo_url?: string;
};

export type InitDataOptions = {
  readonly token: string;
  readonly authDate: Date;
  readonly startParam?: string;
};

/** Init data as a Telegram client would hold it (reference/telegram.md §1.4). */
export function signInitData(person: TestPerson, options: InitDataOptions): string {
  return signUser(JSON.stringify(person), options);
}

/** The same of any JSON: what is signed need not be a person. */
export function signUser(user: string, options: InitDataOptions): string {
  const pairs = new URLSearchParams({
    user,
    auth_date: String(Math.floor(options.authDate.getTime() / 1_000)),
    chat_instance: "-3788475317572404878",
    chat_type: "sender",
    ...(options.startParam === undefined ? {} : { start_param: options.startParam }),
    signature: "not-checked-by-bots",
  });
  pairs.set("hash", hashInitData(pairs, options.token));
  return pairs.toString();
}

export function hashInitData(pairs: URLSearchParams, token: string): string {
  const secret = createHmac("sha256", "WebAppData").update(token).digest();
  const text = [...pairs]
    .filter(([key]) => key !== "hash")
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join("\n");
  return createHmac("sha256", secret).update(text).digest("hex");
}
