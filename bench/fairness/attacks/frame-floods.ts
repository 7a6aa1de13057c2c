import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { upgradeRequest } from '../../load/gateway-connection.ts'
import type { Attack } from '../attack.ts'
import { type Attacker, pause } from '../attacker.ts'
import { noFixture } from '../fixture.ts'
import { openSocket } from '../hostile-socket.ts'

const CONNECTIONS = 8
/** An unsolicited pong without data, masked: six bytes. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])
const PONGS_PER_WRITE = 10_000
/** Limits a connection to 6 MB a second. */
const PAUSE_MS = 10

/** Sends unsolicited pongs on connections that never identify. */
export const pongs: Attack = {
  name: 'pongs',
  prepare: noFixture,
  async run(attacker, signal) {
    await Promise.all(Array.from({ length: CONNECTIONS }, () => pong(attacker, signal)))
  },
}

async function pong(attacker: Attacker, signal: AbortSignal): Promise<void> {
  const bytes = Buffer.concat(Array.from({ length: PONGS_PER_WRITE }, () => PONG))
  while (!signal.aborted) {
    const socket = await openSocket(attacker, signal)
    socket?.resume().write(upgradeRequest(attacker.port))
    while (socket?.destroyed === false) await write(attacker, socket, bytes)
    attacker.count('limited')
    await pause(100, signal)
  }
}

async function write(attacker: Attacker, socket: Socket, bytes: Buffer): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const goOn = () => resolve()
  socket.once('drain', goOn).once('close', goOn)
  if (socket.write(bytes)) resolve()
  await promise
  socket.off('drain', goOn).off('close', goOn)
  attacker.count('passed')
  await sleep(PAUSE_MS)
}
