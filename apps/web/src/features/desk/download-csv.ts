import { BYTE_ORDER_MARK } from "@sesame/contract/csv";
import { offerFile } from "../../lib/offer-file.ts";
import { RequestError } from "../../lib/request.ts";
import { deskCopy } from "./messages.fr.ts";
import { deskToken } from "./session.ts";

/** A file the server writes: asked with the token, which an address must not carry. */
export async function downloadCsv(path: string, name: string): Promise<void> {
  const failed = (status: number) =>
    new RequestError(deskCopy.exportFailed, { status, code: "export" });
  const answer = await fetch(path, {
    headers: { authorization: `Bearer ${deskToken() ?? ""}` },
  }).catch(() => {
    throw failed(0);
  });
  if (!answer.ok) throw failed(answer.status);
  const text = await answer.text();
  // Reading as text drops the mark by which spreadsheets know UTF-8.
  await offerFile(name, text.startsWith(BYTE_ORDER_MARK) ? text : BYTE_ORDER_MARK + text);
}
