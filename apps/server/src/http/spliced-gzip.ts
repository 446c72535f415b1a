import { constants, crc32, deflateRawSync } from "node:zlib";

const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/**
 * Compresses what many documents begin with once; the end of each is added without reading the
 * beginning again. The result is one ordinary gzip stream: blocks of DEFLATE stand one after the
 * other, and a checksum goes on from where it was (RFC 1951, 1952).
 */
export function createSplicedGzip(beginning: Buffer): (end: Buffer) => Buffer {
  const blocks = deflateRawSync(beginning, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const checksum = crc32(beginning);
  return (end) => {
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(crc32(end, checksum), 0);
    trailer.writeUInt32LE((beginning.length + end.length) % 2 ** 32, 4);
    return Buffer.concat([HEADER, blocks, deflateRawSync(end), trailer]);
  };
}
