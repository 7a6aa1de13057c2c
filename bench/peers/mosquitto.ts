import type { Participant } from '../load/lean.ts'
import { freePort } from '../server/foyer.ts'
import { type Peer, placesWithAcknowledgement, type RunningPeer } from './peer.ts'
import { isInstalled, readConfig, startProgram, writeConfig } from './program.ts'

export const mosquitto: Peer = {
  name: 'Mosquitto',
  debianPackage: 'mosquitto',
  isInstalled: isInstalled('mosquitto'),
  acknowledged: 'in memory only; PUBACK of QoS 1, as each listener acknowledges, too',
  config: ['mosquitto.conf'],
  start,
}

async function start(folder: string): Promise<RunningPeer> {
  const port = await freePort()
  const path = await writeConfig(
    folder,
    'mosquitto.conf',
    await readConfig('mosquitto.conf', { port, folder }),
  )
  const program = await startProgram({ folder, ports: [port], command: ['mosquitto', '-c', path] })
  let chats = 0
  return {
    port,
    processIds: [program.processId],
    chat: async (shape) => {
      chats += 1
      return placesWithAcknowledgement(shape).map(({ number, role, room }) => ({
        ...connectionOf(`chat${chats}-${number}`, `chat${chats}/${room}`),
        role,
        room,
      }))
    },
    idle: async (count) =>
      Array.from({ length: count }, (_, number) => connectionOf(`idle${number}`, `idle/${number}`)),
    stop: program.stop,
  }
}

function connectionOf(client: string, topic: string): Participant {
  return { protocol: 'mqtt', role: 'listen', room: 0, arguments: [client, topic] }
}
