// An SFU process, forked and controlled by the server. It ends with the server.
import { initLogger } from 'node-datachannel'
import type { SfuMessage, SfuOptions, SfuRequest } from './messages.ts'
import { Refusal } from './refusal.ts'
import { Sfu } from './sfu.ts'
import { TcpPort } from './tcp/tcp-port.ts'
import { openUdpPort } from './udp-port.ts'

const options: SfuOptions = JSON.parse(process.argv[2] ?? '')

process.on('disconnect', () => process.exit())
// Signals that reach all processes are ignored: the server decides when media ends.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
initLogger('Fatal', (_level, message) => send({ kind: 'problem', message }))

const listener = openUdpPort(options.port)
// Keeps a reference to the listener: garbage collection would close the port.
process.on('exit', () => listener.stop())
const port = listener.port()
const tcp = await openTcp()
const sfu = new Sfu({ ...options, port }, send, tcp)
process.on('message', (request: SfuRequest) => {
  try {
    send({ kind: 'answer', id: request.id, answer: perform(request) })
  } catch (error) {
    send(refusalOf(request.id, error))
  }
})
send({ kind: 'ready', port, tcpPort: tcp?.port })

/** Opens the TCP port. If that fails, voice still works for everyone who can use UDP. */
async function openTcp(): Promise<TcpPort | undefined> {
  const { tcpPort } = options
  if (tcpPort === undefined) return undefined
  return TcpPort.open(tcpPort, port).catch((error) => {
    const message = `TCP port ${tcpPort} could not be opened, so clients without UDP cannot connect: ${error}`
    send({ kind: 'problem', message })
    return undefined
  })
}

function perform(request: SfuRequest): unknown {
  switch (request.name) {
    case 'join':
      return sfu.join(request.given)
    case 'signal':
      return sfu.signal(request.given)
    case 'watch':
      return sfu.watch(request.given)
    case 'setRights':
      return sfu.setRights(request.given)
    case 'kick':
      return sfu.kick(request.given)
    case 'closeRoom':
      return sfu.closeRoom(request.given)
    case 'stats':
      return sfu.stats()
    case 'drain':
      return sfu.drain()
  }
}

function refusalOf(id: number, error: unknown): SfuMessage {
  if (error instanceof Refusal) return { kind: 'refusal', id, code: error.code, message: error.message }
  send({ kind: 'problem', message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  return { kind: 'refusal', id, code: 'voice_unavailable', message: 'the voice process failed' }
}

function send(message: SfuMessage): void {
  // Errors are ignored: sending only fails if the server is ending, and this process ends with it.
  process.send?.(message, undefined, undefined, () => undefined)
}
