import { MAX_BODY_BYTES } from '@foyer/protocol/limits'
import type { Attack } from '../attack.ts'
import { type Attacker, pause } from '../attacker.ts'
import { noFixture } from '../fixture.ts'
import { closed, openSocket } from '../hostile-socket.ts'

const LANES = 16
const head = [
  'POST /api/auth/login HTTP/1.1',
  'Host: foyer',
  'Content-Type: application/json',
  `Content-Length: ${MAX_BODY_BYTES}`,
  '\r\n',
].join('\r\n')

/** Sends all but the last byte of the longest bodies, without an account. */
export const unfinishedBodies: Attack = {
  name: 'unfinished-bodies',
  prepare: noFixture,
  async run(attacker, signal) {
    const body = Buffer.alloc(MAX_BODY_BYTES - 1, ' ')
    const lanes = attacker.isSmoke ? 2 : LANES
    await Promise.all(Array.from({ length: lanes }, () => stall(attacker, body, signal)))
  },
}

async function stall(attacker: Attacker, body: Buffer, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const socket = await openSocket(attacker, signal)
    socket?.resume().write(head)
    socket?.write(body, (error) => attacker.count(error ? 'limited' : 'passed'))
    if (socket !== undefined) await closed(socket)
    await pause(100, signal)
  }
}
