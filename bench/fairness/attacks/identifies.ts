import type { Attack, Preparation } from '../attack.ts'
import { type Attacker, pause } from '../attacker.ts'
import type { Fixture } from '../fixture.ts'
import { type GatewayCredential, openGateway, receive } from '../hostile-socket.ts'
import { makeSpaces } from '../owned-spaces.ts'

const LANES = 4
/** Received bytes after which READY has begun to arrive: HELLO is shorter. */
const READY_BYTES = 1000
const RETRY_MS = 500

/** Identifies over and over with an account whose rooms and overwrites take half an hour to create within the limits. */
export const identifies: Attack = {
  name: 'identifies',
  prepare: (preparation) => makeLargeSpaces(preparation, 'landlord'),
  async run(attacker, signal) {
    await Promise.all(Array.from({ length: LANES }, () => identifyAgain(attacker, signal, attacker.person)))
  },
}

/** Creates an account with more rooms and overwrites than a READY carries. */
export function makeLargeSpaces({ foyer, isSmoke }: Preparation, prefix: string): Promise<Fixture> {
  return makeSpaces(foyer, {
    prefix,
    people: 1,
    spaces: isSmoke ? 2 : 121,
    rooms: 94,
    overwrites: isSmoke ? 94 : 4512,
  })
}

/** Identifies, closes the connection once READY arrives, and begins again. */
export async function identifyAgain(
  attacker: Attacker,
  signal: AbortSignal,
  credential: GatewayCredential,
): Promise<void> {
  while (!signal.aborted) {
    const socket = await openGateway(attacker, signal, credential)
    if (socket !== undefined) attacker.count('passed')
    const isReady = socket !== undefined && (await receive(socket, READY_BYTES))
    socket?.destroy()
    if (isReady) continue
    attacker.count('limited')
    await pause(RETRY_MS, signal)
  }
}
