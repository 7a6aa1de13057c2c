import type { Readable } from 'node:stream'

/** Bytes read before other work runs: about 2 ms of parsing rows. */
const BYTES_PER_TURN = 64 * 1024

/**
 * Lets other work run while a long result arrives. Otherwise Node reads from a socket up to 32 times before it looks
 * at another socket: 2 MiB of rows, which take 60 ms to parse.
 */
export function readInTurns(socket: Readable): void {
  let bytes = 0
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes < BYTES_PER_TURN) return
    bytes = 0
    socket.pause()
    setImmediate(() => socket.resume())
  })
}
