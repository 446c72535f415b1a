import { findFreePorts } from "../../../tools/launch/ports.ts";

/** The server must know its address before it listens, and the emulators the server's. */
export const freePort = (): Promise<number> => findFreePorts(1);
