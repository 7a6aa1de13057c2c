import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Opcode } from '@foyer/protocol/gateway'
import { clientFrame } from '../load/frames.ts'
import { upgradeRequest } from '../load/gateway-connection.ts'
import { ATTACKER_ADDRESS, type Attacker } from './attacker.ts'

/** The extension that browsers offer. It makes the server compress what it sends. */
const COMPRESSION = ['Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits']

/** Opens a connection that closes when the attack ends. Returns undefined if the server refuses the connection. */
export async function openSocket({ port }: Attacker, signal: AbortSignal): Promise<Socket | undefined> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: ATTACKER_ADDRESS, noDelay: true })
  const isOpen = await Promise.race([
    once(socket, 'connect', { signal }).then(
      () => true,
      () => false,
    ),
  ])
  socket.on('error', () => undefined)
  const end = () => socket.destroy()
  signal.addEventListener('abort', end, { once: true })
  socket.once('close', () => signal.removeEventListener('abort', end))
  if (isOpen) return socket
  socket.destroy()
  return undefined
}

/** Waits for this many bytes. Returns false when the connection closes before. */
export async function receive(socket: Socket, bytes: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  let received = 0
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received >= bytes) resolve(true)
  })
  socket.once('close', () => resolve(false))
  if (socket.destroyed) resolve(false)
  return promise
}

/** Resolves when either side closed the connection, with or without an error. */
export async function closed(socket: Socket): Promise<void> {
  if (socket.destroyed) return
  await new Promise<void>((resolve) => socket.once('close', () => resolve()))
}

/** The tokens of a person, or only the token of a bot. */
export interface GatewayCredential {
  token: string
  session_token?: string
}

/** Opens a gateway connection and sends IDENTIFY, without waiting for READY. */
export async function openGateway(
  attacker: Attacker,
  signal: AbortSignal,
  { token, session_token }: GatewayCredential = attacker.person,
): Promise<Socket | undefined> {
  const socket = await openSocket(attacker, signal)
  socket?.write(upgradeRequest(attacker.port, COMPRESSION))
  socket?.write(frame(Opcode.Identify, { token, session_token }))
  return socket
}

export function frame(op: number, d: object | null): Buffer {
  return clientFrame(JSON.stringify({ op, d }))
}
