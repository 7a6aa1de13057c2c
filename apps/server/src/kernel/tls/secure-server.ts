import { createServer, type Server } from 'node:https'
import type { Socket } from 'node:net'
import { createSecureContext, createServer as createTlsServer, type Server as TlsServer } from 'node:tls'
import { connectionOptions, HEADERS_TIMEOUT_MS } from '../http/connection-options.ts'
import type { Challenges } from './challenges.ts'

/** The protocol of an ACME challenge (RFC 8737). */
const CHALLENGE_PROTOCOL = 'acme-tls/1'
/** The protocol's name in a ClientHello, after its length byte. */
const CHALLENGE_MARK = Buffer.from(`\n${CHALLENGE_PROTOCOL}`)
const HANDSHAKE = 22
const RECORD_HEADER_BYTES = 5
const MAX_RECORD_BYTES = 2 ** 14 + RECORD_HEADER_BYTES

/**
 * Creates an HTTPS server without a certificate: `setSecureContext` sets it, without affecting open connections.
 * @param challenges undefined without ACME
 */
export function createSecureServer(challenges: Challenges | undefined): Server {
  const server = createServer({
    ...connectionOptions,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
    handshakeTimeout: HEADERS_TIMEOUT_MS,
  })
  if (challenges !== undefined) divertChallenges(server, createChallengeServer(challenges))
  return server
}

/** Creates a TLS server for ACME servers, which close the connection after the handshake. */
function createChallengeServer(challenges: Challenges): TlsServer {
  const server = createTlsServer({
    ALPNProtocols: [CHALLENGE_PROTOCOL],
    handshakeTimeout: HEADERS_TIMEOUT_MS,
    SNICallback(host, done) {
      challenges.certificate(host).then(
        (pair) => {
          if (pair === undefined) done(new Error('no challenge for this host'))
          else done(null, createSecureContext({ cert: pair.chain, key: pair.key }))
        },
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      )
    },
  })
  server.on('secureConnection', (socket) => socket.on('error', () => undefined).end())
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  return server
}

/**
 * Hands the connections of ACME servers over to the challenge server. Node chooses a certificate before it looks at the
 * protocol, so the first record, the ClientHello, is read before either server begins.
 */
function divertChallenges(server: Server, challengeServer: TlsServer): void {
  const [accept] = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    void readHello(socket).then((hello) => {
      if (hello?.includes(CHALLENGE_MARK)) challengeServer.emit('connection', socket)
      else if (hello !== undefined) accept?.call(server, socket)
    })
  })
}

/** Returns the first record, which stays in the socket to be read again; undefined if the connection ends before. */
async function readHello(socket: Socket): Promise<Buffer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>()
  const chunks: Buffer[] = []
  let received = 0
  let length: number | undefined
  const look = () => {
    for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read()) {
      chunks.push(chunk)
      received += chunk.length
    }
    // Concatenates only until the header is complete: doing so after each byte would take quadratic time.
    length ??= recordLengthOf(Buffer.concat(chunks))
    if (length !== undefined && received >= length) resolve(Buffer.concat(chunks))
  }
  const giveUp = () => resolve(undefined)
  const deadline = setTimeout(() => socket.destroy(), HEADERS_TIMEOUT_MS)
  socket.on('readable', look).on('error', giveUp).on('close', giveUp).on('end', giveUp)
  const hello = await promise
  clearTimeout(deadline)
  socket.off('readable', look).off('error', giveUp).off('close', giveUp).off('end', giveUp)
  if (hello === undefined) socket.destroy()
  else socket.unshift(hello)
  return socket.destroyed ? undefined : hello
}

/**
 * Returns the length of the first record; undefined until its header has arrived. For a protocol other than TLS, it
 * returns the bytes so far, so that the connection is refused immediately.
 */
function recordLengthOf(bytes: Buffer): number | undefined {
  if (bytes.length > 0 && bytes[0] !== HANDSHAKE) return bytes.length
  if (bytes.length < RECORD_HEADER_BYTES) return undefined
  return Math.min(bytes.readUInt16BE(3) + RECORD_HEADER_BYTES, MAX_RECORD_BYTES)
}
