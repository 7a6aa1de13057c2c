import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { upgradeRequest } from '../../load/gateway-connection.ts'
import type { Attack } from '../attack.ts'
import { type Attacker, pause } from '../attacker.ts'
import { noFixture } from '../fixture.ts'
import { openSocket } from '../hostile-socket.ts'

const CONNECTIONS = 8
const FRAMES_PER_WRITE = 10_000
/** Pause after each write, which limits a connection to 8 MB a second. */
const PAUSE_MS = 10

/** Sends unsolicited pongs without data on connections that never identify. */
export const pongs = floodOf('pongs', Buffer.from([0x8a, 0x80, 0, 0, 0, 0]))
/** Sends text frames that hold `{}`. */
export const frames = floodOf('frames', Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x7b, 0x7d]))

/** @param frame as a client sends it: masked, with a mask of zeros */
function floodOf(name: string, frame: Buffer): Attack {
  const bytes = Buffer.alloc(FRAMES_PER_WRITE * frame.length, frame)
  return {
    name,
    prepare: noFixture,
    async run(attacker, signal) {
      await Promise.all(Array.from({ length: CONNECTIONS }, () => flood(attacker, bytes, signal)))
    },
  }
}

async function flood(attacker: Attacker, bytes: Buffer, signal: AbortSignal): Promise<void> {
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
