import { expect, test } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import type { Principal } from "../http/server.ts";
import { type ResyncSocket, sendResync } from "./realtime.ts";

const PERSON: Principal = { personId: 1n, isAgent: false, isOperator: false } as Principal;

function createSocket(token: unknown) {
  const happened: string[] = [];
  const socket: ResyncSocket = {
    handshake: { auth: { token } },
    emit: (name) => happened.push(name),
    disconnect: () => happened.push("disconnected"),
  };
  return { socket, happened };
}

test("every socket gets the reload event, but one whose session ended meanwhile is closed", async () => {
  const people = Array.from({ length: 100 }, (_, index) => createSocket(`t${index}`));
  const ended = createSocket("ended");
  sendResync({
    sockets: () => [...people, ended].map(({ socket }) => socket),
    authenticate: async (token) => (token === "ended" ? null : PERSON),
    spreadMs: 20,
  });
  await eventually(() => expect(ended.happened).toEqual(["disconnected"]));
  for (const { happened } of people) expect(happened).toEqual(["resync"]);
});

test("another outage of the database closes no socket", async () => {
  const one = createSocket("t");
  sendResync({
    sockets: () => [one.socket],
    authenticate: () => Promise.reject(new Error("away")),
    spreadMs: 0,
  });
  await eventually(() => expect(one.happened).toEqual(["resync"]));
});
