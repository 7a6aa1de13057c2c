import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { inGroups } from '../load/groups.ts'
import { freePort } from '../server/foyer.ts'
import type { Peer, RunningPeer } from './peer.ts'
import { isInstalled, readConfig, startProgram, writeConfig } from './program.ts'
import { PASSWORD, userName, xmppRooms } from './xmpp.ts'

const REGISTERING_AT_ONCE = 16

/** ejabberd as Debian sets it up: rooms keep no history. */
export const ejabberd: Peer = {
  name: 'ejabberd',
  debianPackage: 'ejabberd',
  isInstalled: isInstalled('ejabberdctl'),
  acknowledged: "in memory only; the sender's echo",
  config: ['ejabberd.yml'],
  start: (folder) => start(folder, ''),
}

export const ejabberdWithArchive: Peer = {
  ...ejabberd,
  name: 'ejabberd with archive',
  acknowledged: "in the archive, which is written to the disk some time later; the sender's echo",
  config: ['ejabberd.yml', 'ejabberd-archive.yml'],
  start: async (folder) => start(folder, await readConfig('ejabberd-archive.yml')),
}

async function start(folder: string, archive: string): Promise<RunningPeer> {
  const [port, apiPort] = [await freePort(), await freePort()]
  const config = await readConfig('ejabberd.yml', { port, api_port: apiPort, archive })
  await mkdir(join(folder, 'mnesia'))
  const program = await startProgram({
    folder,
    ports: [port, apiPort],
    command: [
      'erl',
      '-noinput',
      '+K',
      'true',
      '+P',
      '250000',
      '-mnesia',
      'dir',
      `"${folder}/mnesia"`,
      '-s',
      'ejabberd',
    ],
    environment: {
      EJABBERD_CONFIG_PATH: await writeConfig(folder, 'ejabberd.yml', config),
      EJABBERD_LOG_PATH: join(folder, 'ejabberd.log'),
      ERL_LIBS: '/usr/lib/x86_64-linux-gnu',
      ERL_MAX_PORTS: '32000',
      HOME: folder,
    },
  })
  const rooms = xmppRooms((from, to) => register(apiPort, from, to))
  return {
    port,
    processIds: [program.processId],
    ...rooms,
    collectGarbage: () => command(apiPort, 'gc', {}),
    stop: program.stop,
  }
}

async function register(apiPort: number, from: number, to: number): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index)
  await inGroups(numbers, REGISTERING_AT_ONCE, (number) =>
    command(apiPort, 'register', { user: userName(number), host: 'localhost', password: PASSWORD }),
  )
}

async function command(apiPort: number, name: string, body: Record<string, string>): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${apiPort}/api/${name}`, {
    method: 'POST',
    // Opens a new connection for each call: ejabberd closes idle ones.
    headers: { 'Content-Type': 'application/json', Connection: 'close' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`ejabberd refuses ${name}: ${await answer.text()}`)
  await answer.arrayBuffer()
}
