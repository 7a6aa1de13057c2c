import type { Attack } from '../attack.ts'
import { type Attacker, pause } from '../attacker.ts'
import { openGateway, receive } from '../hostile-socket.ts'
import { makeSpaces } from '../owned-spaces.ts'

const LANES = 4
/** More bytes than HELLO has: READY has begun to arrive. */
const READY_BYTES = 1000
const RETRY_MS = 500

/** Identifies over and over with an account whose rooms and overwrites took half an hour to make. */
export const identifies: Attack = {
  name: 'identifies',
  prepare: ({ foyer, isSmoke }) =>
    makeSpaces(foyer, {
      prefix: 'landlord',
      people: 1,
      spaces: isSmoke ? 2 : 121,
      rooms: 94,
      overwrites: isSmoke ? 94 : 4512,
    }),
  async run(attacker, signal) {
    await Promise.all(Array.from({ length: LANES }, () => comeAgain(attacker, signal)))
  },
}

async function comeAgain(attacker: Attacker, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const socket = await openGateway(attacker, signal)
    if (socket !== undefined) attacker.count('passed')
    const isReady = socket !== undefined && (await receive(socket, READY_BYTES))
    socket?.destroy()
    if (isReady) continue
    attacker.count('limited')
    await pause(RETRY_MS, signal)
  }
}
