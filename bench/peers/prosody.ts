import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../server/foyer.ts'
import type { Peer, RunningPeer } from './peer.ts'
import { isInstalled, readConfig, startProgram, writeConfig } from './program.ts'
import { PASSWORD, userName, xmppRooms } from './xmpp.ts'

export const prosody: Peer = {
  name: 'Prosody',
  debianPackage: 'prosody',
  isInstalled: isInstalled('prosody'),
  acknowledged: "in memory only; the sender's echo",
  config: ['prosody.cfg.lua'],
  start: (folder) => start(folder, ''),
}

export const prosodyWithArchive: Peer = {
  ...prosody,
  name: 'Prosody with archive',
  skipsCrowd: true,
  acknowledged: "written to a file that is not synchronized to the disk; the sender's echo",
  start: (folder) => start(folder, '"muc_mam"'),
}

async function start(folder: string, archive: string): Promise<RunningPeer> {
  const port = await freePort()
  const config = await readConfig('prosody.cfg.lua', { port, folder, archive })
  const path = await writeConfig(folder, 'prosody.cfg.lua', config)
  const program = await startProgram({ folder, ports: [port], command: ['prosody', '--config', path, '-F'] })
  const rooms = xmppRooms((from, to) => writeAccounts(join(folder, 'data/localhost/accounts'), from, to))
  return { port, processIds: [program.processId], ...rooms, stop: program.stop }
}

/** Writes accounts in the format of Prosody's storage. */
async function writeAccounts(folder: string, from: number, to: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (let number = from; number < to; number += 1)
    await writeFile(join(folder, `${userName(number)}.dat`), `return { ["password"] = "${PASSWORD}" };\n`)
}
