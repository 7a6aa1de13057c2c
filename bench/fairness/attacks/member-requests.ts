import type { Socket } from 'node:net'
import { Opcode } from '@foyer/protocol/gateway'
import { MAX_PAGE } from '@foyer/protocol/limits'
import type { Attack } from '../attack.ts'
import { pause } from '../attacker.ts'
import { frame, openGateway, receive } from '../hostile-socket.ts'
import { makeSpaces } from '../owned-spaces.ts'

const MEMBERS = 5000
/** Maximum number of connections per user. */
const CONNECTIONS = 100
/** Pause between requests on a connection, which may send 20 in ten seconds. */
const PAUSE_MS = 500
/** Received bytes after which READY has begun to arrive: HELLO is shorter. */
const READY_BYTES = 1000

/** Requests members of a large space on as many connections as an account may have. */
export const memberRequests: Attack = {
  name: 'member-requests',
  prepare: ({ foyer, isSmoke }) =>
    makeSpaces(foyer, { prefix: 'census', people: isSmoke ? 50 : MEMBERS, spaces: 1, rooms: 1 }),
  async run(attacker, signal) {
    const sockets: Socket[] = []
    while (sockets.length < (attacker.isSmoke ? 2 : CONNECTIONS) && !signal.aborted) {
      const socket = await openGateway(attacker, signal)
      if (socket === undefined || !(await receive(socket, READY_BYTES))) break
      sockets.push(socket)
    }
    const ids = attacker.fixture.people.slice(0, MAX_PAGE).map(({ userId }) => userId)
    for (let turn = 0; !signal.aborted; turn += 1) {
      const what = turn % 2 === 0 ? { query: 'census' } : { user_ids: ids }
      const request = frame(Opcode.RequestMembers, {
        space_id: attacker.fixture.spaceIds[0] ?? '',
        limit: MAX_PAGE,
        ...what,
      })
      for (const socket of sockets) attacker.count(socket.write(request) ? 'passed' : 'limited')
      await pause(PAUSE_MS, signal)
    }
  },
}
