import { join } from 'node:path'
import { type Account, signUp } from '../load/accounts.ts'
import { foyerIdle, foyerParticipants } from '../load/lean-foyer.ts'
import { type Foyer, startFoyer } from '../server/foyer.ts'
import { collectGarbage } from '../server/garbage.ts'
import type { Peer, RunningPeer } from './peer.ts'

const CONNECTIONS_OF_ACCOUNT = 300

/** Our server with its defaults, without rate limits. */
export const foyer: Peer = {
  name: 'Foyer',
  isInstalled: true,
  acknowledged: 'committed by PostgreSQL and synchronized to the disk; the answer of the request',
  config: [],
  start: async (folder) => runningOn(await startFoyer({ dataDir: join(folder, 'data') })),
}

function runningOn(server: Foyer): RunningPeer {
  const accounts = accountsOf(server)
  return {
    port: server.port,
    processIds: [server.pid, server.postgresPid],
    chat: async (shape) => foyerParticipants({ ...shape, accounts: await accounts(shape.rooms) }),
    idle: async (count) => foyerIdle(await accounts(Math.ceil(count / CONNECTIONS_OF_ACCOUNT)), count),
    collectGarbage: () => collectGarbage(server),
    stop: server.stop,
  }
}

/** Reuses accounts across chats, because signing up is slow. All connections of the earlier chats are closed by then. */
function accountsOf(server: Foyer): (count: number) => Promise<Account[]> {
  const made: Account[] = []
  return async (count) => {
    if (made.length < count) made.push(...(await signUp(server.port, count - made.length, made.length)))
    return made.slice(0, count)
  }
}
