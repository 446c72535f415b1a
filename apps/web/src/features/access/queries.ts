import type { AccessOnWire, MyAccessAnswer } from "@sesame/contract/access";
import type { EraseAnswer, PersonalDataAnswer } from "@sesame/contract/support";
import { request } from "../../lib/request.ts";

export async function readMyAccesses(token: string): Promise<readonly AccessOnWire[]> {
  const answer = await request<MyAccessAnswer>("/api/me/access", { token });
  return answer.accesses;
}

export function readMyData(token: string): Promise<PersonalDataAnswer> {
  return request<PersonalDataAnswer>("/api/me/export", { token, timeoutMs: 20_000 });
}

export async function eraseMe(token: string): Promise<void> {
  await request<EraseAnswer>("/api/me/delete", { method: "POST", body: { confirm: true }, token });
}
