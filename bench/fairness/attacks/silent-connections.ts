import type { Attack } from '../attack.ts'
import { type Attacker, pause } from '../attacker.ts'
import { noFixture } from '../fixture.ts'
import { closed, openSocket } from '../hostile-socket.ts'

/** Number of connections, far below the open-file limit. */
const CONNECTIONS = 2000
const PAUSE_MS = 1

/** Opens connections that send nothing, and opens them again when they are closed. */
export const silentConnections: Attack = {
  name: 'silent-connections',
  prepare: noFixture,
  async run(attacker, signal) {
    const count = attacker.isSmoke ? 50 : CONNECTIONS
    const lanes: Promise<void>[] = []
    while (lanes.length < count && !signal.aborted) {
      lanes.push(staySilent(attacker, signal))
      await pause(PAUSE_MS, signal)
    }
    await Promise.all(lanes)
  },
}

async function staySilent(attacker: Attacker, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const socket = await openSocket(attacker, signal)
    attacker.count(socket === undefined ? 'limited' : 'passed')
    socket?.resume()
    if (socket !== undefined) await closed(socket)
    await pause(100, signal)
  }
}
