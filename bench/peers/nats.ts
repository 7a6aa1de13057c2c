import { once } from 'node:events'
import { connect } from 'node:net'
import type { Participant } from '../load/lean.ts'
import { freePort } from '../server/foyer.ts'
import {
  type ChatShape,
  type Peer,
  placesWithAcknowledgement,
  placesWithEcho,
  type RunningPeer,
} from './peer.ts'
import { isInstalled, readConfig, startProgram, writeConfig } from './program.ts'

export const nats: Peer = {
  name: 'NATS',
  debianPackage: 'nats-server',
  isInstalled: isInstalled('nats-server'),
  acknowledged: "in memory only; the sender's echo",
  config: ['nats.conf'],
  start: (folder) => start(folder, { stream: '', chat: chatWithEcho }),
}

export const natsWithStream: Peer = {
  ...nats,
  name: 'NATS JetStream',
  acknowledged:
    'written to a file that is synchronized to the disk every two minutes; the answer of the stream',
  config: ['nats.conf', 'nats-jetstream.conf'],
  start: async (folder) => {
    const stream = await readConfig('nats-jetstream.conf', { folder })
    const running = await start(folder, { stream, chat: chatWithStream })
    await createStream(running.port)
    return running
  },
}

interface Kind {
  stream: string
  chat(shape: ChatShape, chats: number): Participant[]
}

async function start(folder: string, kind: Kind): Promise<RunningPeer> {
  const port = await freePort()
  const config = await readConfig('nats.conf', { port, folder, stream: kind.stream })
  const path = await writeConfig(folder, 'nats.conf', config)
  const program = await startProgram({ folder, ports: [port], command: ['nats-server', '-c', path] })
  let chats = 0
  return {
    port,
    processIds: [program.processId],
    chat: async (shape) => {
      chats += 1
      return kind.chat(shape, chats)
    },
    idle: async (count) => Array.from({ length: count }, (_, number) => connectionOf(`idle.${number}`)),
    stop: program.stop,
  }
}

function chatWithEcho(shape: ChatShape, chats: number): Participant[] {
  return placesWithEcho(shape).map(({ role, room }) => ({
    ...connectionOf(`chat.${chats}.${room}`),
    role,
    room,
  }))
}

function chatWithStream(shape: ChatShape, chats: number): Participant[] {
  return placesWithAcknowledgement(shape).map(({ number, role, room }) => ({
    ...connectionOf(`chat.${chats}.${room}`, ...(role === 'send' ? [`inbox.${chats}.${number}`] : [])),
    role,
    room,
  }))
}

function connectionOf(subject: string, ...inbox: string[]): Participant {
  return { protocol: 'nats', role: 'listen', room: 0, arguments: [subject, ...inbox] }
}

/** Creates the stream of all chats. Hand-written, because the benchmark needs only this request of a client library. */
async function createStream(port: number): Promise<void> {
  const body = JSON.stringify({ name: 'CHAT', subjects: ['chat.>'], storage: 'file', retention: 'limits' })
  const socket = connect({ port, host: '127.0.0.1' }).setEncoding('utf8')
  socket.write('CONNECT {"verbose":false}\r\nSUB answer 1\r\n')
  socket.write(`PUB $JS.API.STREAM.CREATE.CHAT answer ${body.length}\r\n${body}\r\n`)
  let received = ''
  while (!/"did_create":true/.test(received)) {
    if (/"error"|-ERR/.test(received)) throw new Error(`no stream: ${received}`)
    const [text]: string[] = await once(socket, 'data')
    received += text
  }
  socket.destroy()
}
