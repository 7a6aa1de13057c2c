import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { FrameReader, frameOf } from '#src/voice/sfu/tcp/frames.ts'
import { decodeStun, type StunMessage } from '#src/voice/stun/stun.ts'

/** The address of a STUN server, as in `turn:host:port?transport=tcp`. */
export interface StunAddress {
  host: string
  port: number
  /** `framed` is TCP with a length before each message, as for voice (RFC 4571). */
  transport: 'udp' | 'tcp' | 'tls' | 'framed'
}

/** One socket. A TURN server identifies a client by its socket. */
export interface StunChannel {
  /** @throws Error if no answer comes */
  ask(request: Buffer): Promise<StunMessage>
  close(): void
}

const ANSWER_MS = 3000
/** Interval at which a request over UDP is repeated, because packets may be lost. */
const REPEAT_MS = 500

export function addressOfUrl(url: string): StunAddress {
  const [, scheme = '', host = '', port, query = ''] =
    /^(stuns?|turns?):(\[[^\]]+\]|[^:?]+)(?::(\d+))?(?:\?(.*))?$/.exec(url) ?? []
  const isTls = scheme.endsWith('s')
  const byDefault = isTls ? 5349 : 3478
  const plain = query === 'transport=tcp' ? 'tcp' : 'udp'
  const number = port === undefined ? byDefault : Number(port)
  return { host: host.replace(/^\[|\]$/g, ''), port: number, transport: isTls ? 'tls' : plain }
}

export async function openChannel({ host, port, transport }: StunAddress): Promise<StunChannel> {
  if (transport === 'udp') return openUdp(host, port)
  if (transport === 'framed') return openFramed(connect({ host, port }))
  // TLS refuses a certificate for another name, as a browser does.
  const socket = transport === 'tls' ? connectTls({ host, port, servername: host }) : connect({ host, port })
  return openStream(socket, transport === 'tls' ? 'secureConnect' : 'connect')
}

async function openUdp(host: string, port: number): Promise<StunChannel> {
  const { address, family } = await lookup(host)
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
  const awaited = new Awaited()
  socket.on('message', (bytes) => awaited.receive(bytes))
  socket.on('error', (error) => awaited.fail(error))
  return {
    async ask(request) {
      const send = () => socket.send(request, port, address)
      send()
      const timer = setInterval(send, REPEAT_MS)
      return awaited.answerTo(request).finally(() => clearInterval(timer))
    },
    close: () => socket.close(),
  }
}

async function openFramed(socket: Socket): Promise<StunChannel> {
  const reader = new FrameReader()
  const awaited = await openedBy(socket, 'connect', (bytes, answers) => {
    reader.add(bytes)
    const message = reader.next()
    if (typeof message !== 'string') answers.receive(message)
  })
  return {
    ask(request) {
      socket.write(frameOf(request))
      return awaited.answerTo(request)
    },
    close: () => void socket.destroy(),
  }
}

/** Resolves once the connection is open. */
async function openedBy(
  socket: Socket,
  opened: 'connect' | 'secureConnect',
  receive: (bytes: Buffer, answers: Awaited) => void,
): Promise<Awaited> {
  const awaited = new Awaited()
  const isOpen = Promise.withResolvers<void>()
  socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('no answer')))
  socket.once(opened, () => isOpen.resolve())
  socket.on('error', (error) => {
    isOpen.reject(error)
    awaited.fail(error)
  })
  socket.on('close', () => awaited.fail(new Error('the connection was closed')))
  socket.on('data', (bytes: Buffer) => receive(bytes, awaited))
  await isOpen.promise
  return awaited
}

async function openStream(socket: Socket, opened: 'connect' | 'secureConnect'): Promise<StunChannel> {
  let rest = Buffer.alloc(0)
  const awaited = await openedBy(socket, opened, (bytes, answers) => {
    rest = Buffer.concat([rest, bytes])
    if (answers.receive(rest)) rest = Buffer.alloc(0)
  })
  return {
    ask(request) {
      socket.write(request)
      return awaited.answerTo(request)
    },
    close: () => void socket.destroy(),
  }
}

/** Waits for the answer to the last request. */
class Awaited {
  #request: Buffer | undefined
  #answer = Promise.withResolvers<StunMessage>()

  answerTo(request: Buffer): Promise<StunMessage> {
    this.#request = request
    this.#answer = Promise.withResolvers()
    const timer = setTimeout(() => this.fail(new Error('no answer')), ANSWER_MS)
    return this.#answer.promise.finally(() => clearTimeout(timer))
  }

  receive(bytes: Buffer): boolean {
    const message = decodeStun(bytes)
    const isIt = message !== undefined && this.#request?.subarray(8, 20).equals(message.transaction) === true
    if (isIt) this.#answer.resolve(message)
    return isIt
  }

  fail(error: Error): void {
    // Avoids an unhandled rejection if no caller is waiting.
    this.#answer.promise.catch(() => undefined)
    this.#answer.reject(error)
  }
}
