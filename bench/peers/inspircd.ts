import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Participant } from '../load/lean.ts'
import { freePort } from '../server/foyer.ts'
import { type ChatShape, type Peer, placesWithEcho, type RunningPeer } from './peer.ts'
import { isInstalled, readConfig, startProgram, writeConfig } from './program.ts'

export const inspircd: Peer = {
  name: 'InspIRCd',
  debianPackage: 'inspircd',
  isInstalled: isInstalled('inspircd'),
  acknowledged: "in memory only; the sender's echo",
  config: ['inspircd.conf'],
  start,
}

async function start(folder: string): Promise<RunningPeer> {
  const port = await freePort()
  const path = await writeConfig(folder, 'inspircd.conf', await readConfig('inspircd.conf', { port, folder }))
  await writeFile(join(folder, 'motd'), 'Welcome.\n')
  const asRoot = process.getuid?.() === 0 ? ['--runasroot'] : []
  const program = await startProgram({
    folder,
    ports: [port],
    command: ['inspircd', '--nofork', ...asRoot, '--config', path],
  })
  let chats = 0
  return {
    port,
    openingAtOnce: 500,
    processIds: [program.processId],
    chat: async (shape) => {
      chats += 1
      return chat(shape, chats)
    },
    idle: async (count) => Array.from({ length: count }, (_, number) => connectionOf(`idle${number}`)),
    stop: program.stop,
  }
}

/** Uses new names for each chat, because the server may still hold the names of the previous chat. */
function chat(shape: ChatShape, chats: number): Participant[] {
  return placesWithEcho(shape).map(({ number, role, room }) => ({
    ...connectionOf(`chat${chats}n${number}`, `#chat${chats}-${room}`),
    role,
    room,
  }))
}

function connectionOf(nick: string, ...channel: string[]): Participant {
  return { protocol: 'irc', role: 'listen', room: 0, arguments: [nick, ...channel] }
}
