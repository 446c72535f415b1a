import type { AccessOnWire, MyAccessAnswer } from "@sesame/contract/access";
import { request } from "../../lib/request.ts";

export async function readMyAccesses(token: string): Promise<readonly AccessOnWire[]> {
  const answer = await request<MyAccessAnswer>("/api/me/access", { token });
  return answer.accesses;
}
