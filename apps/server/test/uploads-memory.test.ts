import { expect, test } from "vitest";
import { UPLOAD_BYTES } from "../src/http/bodies.ts";
import { startTestApp } from "./harness.ts";
import { type Line, openLine } from "./http.ts";

const app = await startTestApp();
const seller = await app.signInSeller();

/** An upload of 5 MB whose last bytes never come. */
async function beginUpload(token: string): Promise<Line> {
  const line = await openLine(app.url);
  const part = '--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n';
  line.socket.write(
    `POST /api/products HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000000\r\n\r\n${part}`,
  );
  line.socket.write(Buffer.alloc(4_900_000, "x"));
  return line;
}

test("uploads that one person leaves unfinished hold a bounded number of bytes: the oldest are answered 429, another person uploads", async () => {
  const uploads = await Promise.all(Array.from({ length: 12 }, () => beginUpload(seller.token)));
  // Two fit; each further one ends an older one.
  const room = Math.floor(UPLOAD_BYTES.perKeyBytes / 5_000_000);
  const ended: number[] = [];
  await new Promise<void>((resolve) => {
    for (const { answer } of uploads) {
      void answer().then(({ status }) => {
        if (ended.push(status) === uploads.length - room) resolve();
      }, resolve);
    }
  });
  expect(ended).toEqual(Array.from({ length: uploads.length - room }, () => 429));

  const other = await app.signInSeller();
  const answer = await app.call("POST", "/api/products", {
    token: other.token,
    form: { title: "Un titre", image: new Blob([new Uint8Array(1_000_000)]) },
  });
  expect([400, 422]).toContain(answer.status);
  for (const { socket } of uploads) socket.destroy();
});
