import { once } from "node:events";
import { assert, DAY_MS, MINUTE_MS } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../tools/testing/eventually.ts";
import { SESSION_MS } from "../src/features/identity/sessions.ts";
import { EVENTS_A_MINUTE, SOCKETS_A_PERSON } from "../src/realtime/realtime.ts";
import { startTestApp } from "./harness.ts";
import { createPicker, HOSTILE_JSON } from "./hostile.ts";
import { openOrder, openShopIn } from "./sales.ts";

/** Opened first: its lifetime passes during the other tests. */

const app = await startTestApp();
const shop = await openShopIn(app);
const orderId = (await openOrder(shop)).id;
const silent = await openRawSocket();

/** Proves that the process and its realtime still work. */
async function followHonestly(): Promise<void> {
  const { token } = await app.signInBuyer(shop.buyer.person);
  const socket = await openSignedSocket(token);
  for (const id of [JSON.stringify(orderId), orderId]) {
    socket.send(`427["order:follow",{"id":${id}}]`);
    expect(await socket.received("437")).toBe('437[{"success":true}]');
  }
  socket.close();
  expect(app.takeErrors()).toEqual([]);
  expect(Object.fromEntries(app.app.guard.counts())).toEqual({});
}

/** For events without a listener. */
function sample(values: readonly string[]): readonly string[] {
  if (process.env["LONG"] === "1") return values;
  return createPicker()(values, 6);
}

/** Names with a meaning in the protocol, in Node or for objects. */
const EVENTS = [
  "order:follow",
  "error",
  "message",
  "constructor",
  "__proto__",
  "toString",
  "hasOwnProperty",
  "disconnect",
  "disconnecting",
  "connect_error",
  "newListener",
  "removeListener",
  "private:message",
];

describe("hostile JSON in every socket event", () => {
  test("is refused or ignored, and an honest socket follows its order", async () => {
    for (const event of EVENTS) {
      const { token } = await app.signInBuyer();
      const values = event === "order:follow" ? HOSTILE_JSON : sample(HOSTILE_JSON);
      for (const value of values) {
        app.clock.advance(MINUTE_MS / 10);
        const socket = await openSignedSocket(token);
        // With and without an acknowledgement; as the argument and as its id.
        socket.send(`42["${event}",${value}]`);
        socket.send(`42["${event}",${value},${value}]`);
        socket.send(`42["${event}",{"id":${value}}]`);
        socket.send(`421["${event}",${value}]`);
        socket.send(`422["${event}",{"id":${value}},{"toString":0}]`);
        socket.send(`42${value}`);
        socket.send(`42[${value},${value}]`);
        if (event === "order:follow") {
          socket.send(`423["order:follow",{"id":{"toString":0}}]`);
          const answer = await answerOrEnd(socket, "433");
          if (answer) expect(answer).toBe('433[{"success":false}]');
        }
        socket.close();
      }
    }
    await followHonestly();
  });

  test("in place of the token is refused", async () => {
    for (const value of HOSTILE_JSON) {
      for (const packet of [`40{"token":${value}}`, `40${value}`, `40/x,{"token":${value}}`]) {
        app.clock.advance(MINUTE_MS / 10);
        const socket = await openRawSocket();
        socket.send(packet);
        const answer = await answerOrEnd(socket, "44");
        if (answer) expect(answer).toMatch(/^44/);
        socket.close();
      }
    }
    await followHonestly();
  });

  test("as a packet of an invalid form ends the socket, and no other", async () => {
    const { token } = await app.signInBuyer();
    const packets = [
      "",
      "4",
      "42",
      "4x",
      "42[",
      "42{}",
      '42["order:follow"',
      '451-["order:follow",{"_placeholder":true,"num":0}]',
      '451-["order:follow",{"_placeholder":true,"num":-1}]',
      '451-["order:follow",{"_placeholder":true,"num":{"toString":0}}]',
      '45999999999-["order:follow",{"_placeholder":true,"num":0}]',
      '4299999999999999999999["order:follow",{"id":1}]',
      '43["order:follow"]',
      '431[{"toString":0}]',
      '44{"message":{"toString":0}}',
      "41",
      "9",
      "\0",
      `42["order:follow",{"id":"${"9".repeat(20_000)}"}]`,
    ];
    for (const packet of packets) {
      const socket = await openSignedSocket(token);
      socket.send(packet);
      socket.close();
      await socket.closed;
    }
    await followHonestly();
  });
});

describe("sockets", () => {
  test("of one person are refused beyond what tabs and phones need, and only that person's", async () => {
    const { token } = await app.signInBuyer();
    const open = [];
    while (open.length < SOCKETS_A_PERSON) open.push(await openSignedSocket(token));
    expect(await refusalOf(token)).toBe('44{"message":"realtime.too-many-sockets"}');
    (await openSignedSocket()).close();
    const [first] = open;
    first?.close();
    await first?.closed;
    await eventually(() => openSignedSocket(token));
    for (const socket of open) socket.close();
  });

  test("of one person send at most as many events a minute as requests are allowed", async () => {
    const { token } = await app.signInBuyer();
    const sockets = [await openSignedSocket(token), await openSignedSocket(token)];
    const follow = async (count: number) => {
      const socket = sockets[count % 2];
      socket?.send(`42${count}["order:follow",{"id":"1"}]`);
      return socket?.received(`43${count}[`);
    };
    for (let count = 0; count < EVENTS_A_MINUTE; count++) {
      expect(await follow(count)).toBe(`43${count}[{"success":false}]`);
    }
    expect(await follow(500)).toBe('43500[{"success":false,"code":"request.too-many"}]');
    expect(await follow(501)).toBe('43501[{"success":false,"code":"request.too-many"}]');
    app.clock.advance(MINUTE_MS);
    expect(await follow(502)).toBe('43502[{"success":false}]');
    for (const socket of sockets) socket.close();
  });

  test("without a token are closed within seconds", async () => {
    await silent.closed;
    // After 5 s: before the server's first ping, at 25 s. Socket.IO's own default is 45 s.
    expect(silent.pings()).toBe(0);
  });

  test("end with their session", async () => {
    const socket = await openSignedSocket();
    app.clock.advance(SESSION_MS - DAY_MS);
    socket.send('421["order:follow",{"id":"1"}]');
    expect(await socket.received("431")).toBe('431[{"success":false}]');
    app.clock.advance(DAY_MS);
    await socket.closed;
  });

  test("follow no order of another person", async () => {
    const socket = await openSignedSocket();
    socket.send(`427["order:follow",{"id":"${orderId}"}]`);
    expect(await socket.received("437")).toBe('437[{"success":false}]');
    socket.close();
  });

  test("end after a logout, and their token is refused", async () => {
    const { token } = await app.signInBuyer();
    const socket = await openSignedSocket(token);
    expect((await app.call("POST", "/api/auth/logout", { token })).status).toBe(200);
    await socket.closed;
    expect(await refusalOf(token)).toBe('44{"message":"identity.token-refused"}');
  });

  test("with forged tokens are refused by form, then limited by address", async () => {
    app.clock.advance(MINUTE_MS);
    const forged = "A".repeat(43);
    expect(await refusalOf(forged)).toBe('44{"message":"identity.token-refused"}');
    while (app.app.http.refusedTokens.count("127.0.0.1") === null);
    expect(await refusalOf(forged)).toBe('44{"message":"request.too-many"}');
    // A valid token passes all the same.
    (await openSignedSocket()).close();
    app.clock.advance(MINUTE_MS);
  });
});

type RawSocket = Awaited<ReturnType<typeof openRawSocket>>;

/** A Socket.IO client by hand, for what no client library would send. Answers the server's pings. */
async function openRawSocket() {
  const server = app.url.replace("http", "ws");
  const socket = new WebSocket(`${server}/socket.io/?EIO=4&transport=websocket`);
  const packets: string[] = [];
  let pings = 0;
  socket.addEventListener("message", ({ data }) => {
    assert(typeof data === "string", "the server sends text");
    if (data === "2") {
      pings += 1;
      return socket.send("3");
    }
    packets.push(data);
  });
  const closed = once(socket, "close").then(() => undefined);
  await Promise.race([once(socket, "open"), closed]);
  assert(socket.readyState === WebSocket.OPEN, "the socket was refused");
  return {
    send: (packet: string) => socket.send(packet),
    closed,
    /** The number of pings from the server. */
    pings: () => pings,
    close: () => socket.close(),
    /** The next packet that begins with `start`; rejects when the socket ends first. */
    async received(start: string): Promise<string> {
      for (;;) {
        const index = packets.findIndex((packet) => packet.startsWith(start));
        const [packet] = index < 0 ? [] : packets.splice(index, 1);
        if (packet !== undefined) return packet;
        assert(socket.readyState !== WebSocket.CLOSED, `the socket ended before ${start}`);
        await Promise.race([once(socket, "message"), closed]);
      }
    },
  };
}

/** The next such packet, or undefined when the protocol's own rules closed the socket before it. */
const answerOrEnd = (socket: RawSocket, start: string) =>
  Promise.race([socket.received(start).catch(() => undefined), socket.closed]);

/** By default of a new buyer's. */
async function openSignedSocket(token?: string): Promise<RawSocket> {
  const socket = await openRawSocket();
  socket.send(`40${JSON.stringify({ token: token ?? (await app.signInBuyer()).token })}`);
  const answer = await socket.received("4");
  assert(answer.startsWith("40"), `the token was refused: ${answer}`);
  return socket;
}

async function refusalOf(token: string): Promise<string> {
  const socket = await openRawSocket();
  socket.send(`40${JSON.stringify({ token })}`);
  const answer = await socket.received("44");
  socket.close();
  return answer;
}
