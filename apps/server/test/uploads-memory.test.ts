import { connect, type Socket } from "node:net";
import { afterAll, expect, test } from "vitest";
import { UPLOAD_BYTES } from "../src/http/bodies.ts";
import { startTestApp } from "./harness.ts";

const app = await startTestApp();
const seller = await app.signInSeller();
afterAll(() => app.close());

type Unfinished = { readonly socket: Socket; readonly answered: Promise<number> };

/** An upload of 5 MB whose last bytes never come. */
function beginUpload(token: string): Unfinished {
  const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
  const answered = new Promise<number>((resolve) => {
    socket.on("data", (chunk) => resolve(Number(chunk.toString("latin1").slice(9, 12))));
    socket.on("error", () => resolve(0));
    socket.on("close", () => resolve(0));
  });
  const part = '--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n';
  socket.write(
    `POST /api/products HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000000\r\n\r\n${part}`,
  );
  socket.write(Buffer.alloc(4_900_000, "x"));
  return { socket, answered };
}

test("uploads that one person leaves unfinished hold a bounded number of bytes: the oldest are answered 429, another person uploads", async () => {
  const uploads = Array.from({ length: 12 }, () => beginUpload(seller.token));
  // Two fit; each further one ends an older one.
  const room = Math.floor(UPLOAD_BYTES.perKeyBytes / 5_000_000);
  const ended: number[] = [];
  await new Promise<void>((resolve) => {
    for (const { answered } of uploads) {
      void answered.then((status) => {
        ended.push(status);
        if (ended.length === uploads.length - room) resolve();
      });
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
