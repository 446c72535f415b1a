import { createHmac } from "node:crypto";

/** What a launch tells the mini app about itself (telegram.md §1.2). */
export type InitDataFields = {
  user: {
    id: number;
    first_name: string;
    last_name?: string;
    username?: string;
    language_code: string;
    allows_write_to_pm?: true;
  };
  auth_date: number;
  query_id?: string;
  chat_type?: string;
  chat_instance?: string;
  start_param?: string;
};

/** Only Telegram can make the Ed25519 signature: a demo's is a dummy of the right length. */
const DUMMY_SIGNATURE = "A".repeat(86);

/** Init data signed with a bot's token (telegram.md §1.4): all but `hash` is under the HMAC. */
export function signInitData(fields: InitDataFields, botToken: string): string {
  const { user, ...rest } = fields;
  const params = new URLSearchParams({ user: JSON.stringify(user) });
  for (const [key, value] of Object.entries(rest)) {
    if (value !== undefined) params.set(key, String(value));
  }
  params.set("signature", DUMMY_SIGNATURE);
  const checked = [...params].map(([key, value]) => `${key}=${value}`).sort();
  const secret = createHmac("sha256", "WebAppData").update(botToken).digest();
  params.set("hash", createHmac("sha256", secret).update(checked.join("\n")).digest("hex"));
  // Telegram writes a space as %20: readers that only decode percents would keep a "+".
  return params.toString().replaceAll("+", "%20");
}
