import type { Attack } from '../attack.ts'
import { pause } from '../attacker.ts'
import { openGateway } from '../hostile-socket.ts'
import { makeSpaces } from '../owned-spaces.ts'

/** Maximum number of connections per user. Each receives every message. */
const LISTENERS = 100
const LANES = 32
const OPENING_PAUSE_MS = 20
const content = `${'**_~~||`a`||~~_** <@0> [x](y) '.repeat(133)}`

/** Sends the longest messages in many rooms at once, with as many listeners as an account may have. */
export const messageFlood: Attack = {
  name: 'message-flood',
  prepare: ({ foyer }) => makeSpaces(foyer, { prefix: 'shouter', people: 1, spaces: 1, rooms: 50 }),
  async run(attacker, signal) {
    for (let opened = 0; opened < (attacker.isSmoke ? 5 : LISTENERS) && !signal.aborted; opened += 1) {
      const socket = await openGateway(attacker, signal)
      socket?.resume()
      await pause(OPENING_PAUSE_MS, signal)
    }
    await attacker.askInLanes(LANES, signal, (turn) => ({
      method: 'POST',
      path: `/api/rooms/${attacker.room(turn)}/messages`,
      identity: attacker.person,
      body: JSON.stringify({ content, nonce: `${turn}` }),
    }))
  },
}
