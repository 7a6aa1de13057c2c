import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { Opcode } from '@foyer/protocol/gateway'
import { SESSION_SECONDS } from '@foyer/protocol/limits'
import { type PerMessageDeflateOptions, WebSocket } from 'ws'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import { forgetCredentials } from './forget-credentials.ts'

/** Credentials in IDENTIFY and RESUME. */
export interface Identity {
  token: string
  session_token?: string
}

/** Opens another session of the user, and returns its tokens. */
export async function openSession(
  server: RunningServer,
  userId: string,
): Promise<Required<Identity> & { sessionId: string }> {
  const sessionId = newId()
  const expiresAt = Date.now() + SESSION_SECONDS * 1000
  await server.deps.database.execute(sql`
    insert into sessions (id, user_id, expires_at) values (${sessionId}, ${userId}, ${new Date(expiresAt)})`)
  await forgetCredentials(server, userId)
  const sign = (kind: 'access' | 'session') =>
    server.deps.signer.sign({ kind, userId, sessionId, generation: 0, expiresAt })
  return { token: sign('access'), session_token: sign('session'), sessionId }
}

export interface ReceivedFrame {
  op: number
  d: unknown
  t?: string
  s?: string
  /** Raw text of the frame. */
  text: string
}

export interface OpenOptions {
  version?: string
  headers?: Record<string, string>
  compress?: boolean | PerMessageDeflateOptions
}

const MAX_WAIT_MS = 30_000

/** Gateway client that sends only what the test asks for, and keeps every frame it receives. */
export class GatewayClient {
  readonly frames: ReceivedFrame[] = []
  readonly socket: WebSocket
  /** Resolves with the close code. */
  readonly closed: Promise<number>
  /** Underlying socket, once the connection is open. */
  wire: Socket | undefined
  readonly #waiting = new Set<() => void>()
  #isClosed = false

  constructor(
    server: Pick<RunningServer, 'url'>,
    { version = '1', headers = {}, compress = false }: OpenOptions,
  ) {
    const url = `${server.url.replace(/^http/, 'ws')}/gateway?v=${version}`
    this.socket = new WebSocket(url, { headers, perMessageDeflate: compress })
    this.socket.on('upgrade', (response) => {
      this.wire = response.socket
    })
    this.socket.on('message', (data) => this.#receive(String(data)))
    this.closed = new Promise((resolve, reject) => {
      this.socket.on('error', reject)
      this.socket.on('close', resolve)
    })
    this.closed.catch(() => undefined).finally(() => this.#end())
  }

  send(op: number, d?: unknown): void {
    this.socket.send(JSON.stringify({ op, d }))
  }

  /** Returns the first matching frame that has arrived already or arrives within 30 seconds. */
  async find(fits: (frame: ReceivedFrame) => boolean, what = 'the frame'): Promise<ReceivedFrame> {
    const deadline = Date.now() + MAX_WAIT_MS
    let found = this.frames.find(fits)
    while (found === undefined && Date.now() < deadline && !this.#isClosed) {
      await this.#nextFrame(deadline - Date.now())
      found = this.frames.find(fits)
    }
    assert.ok(found, `${what} came`)
    return found
  }

  findCommand(op: number): Promise<ReceivedFrame> {
    return this.find((frame) => frame.op === op, `opcode ${op}`)
  }

  findEvent(name: string): Promise<ReceivedFrame> {
    return this.find((frame) => frame.t === name, name)
  }

  /** Returns the events with this name received so far. */
  heard(name: string): ReceivedFrame[] {
    return this.frames.filter((frame) => frame.t === name)
  }

  /** Resolves when every frame the server has sent so far has arrived. The answer to a heartbeat comes after them. */
  async settle(): Promise<void> {
    const acks = () => this.frames.filter((frame) => frame.op === Opcode.HeartbeatAck).length
    const before = acks()
    this.send(Opcode.Heartbeat, null)
    await this.find(() => acks() > before, 'the answer to a heartbeat')
  }

  close(): void {
    this.socket.terminate()
  }

  #receive(text: string): void {
    const frame: Omit<ReceivedFrame, 'text'> = JSON.parse(text)
    this.frames.push({ ...frame, text })
    this.#wake()
  }

  #nextFrame(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs)
      this.#waiting.add(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  #end(): void {
    this.#isClosed = true
    this.#wake()
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }
}

/** Opens a connection and waits for HELLO. */
export async function openGateway(
  server: Pick<RunningServer, 'url'>,
  options: OpenOptions = {},
): Promise<GatewayClient> {
  const client = new GatewayClient(server, options)
  await client.findCommand(Opcode.Hello)
  return client
}

/** Opens a connection, identifies, and waits for READY. */
export async function identify(
  server: Pick<RunningServer, 'url'>,
  { token, session_token, presence }: Identity & { presence?: unknown },
  options: OpenOptions = {},
): Promise<GatewayClient> {
  const client = await openGateway(server, options)
  client.send(Opcode.Identify, { token, session_token, presence })
  await client.findEvent('READY')
  return client
}

/**
 * Opens a connection, asks to resume from `s`, and waits for RESUMED or INVALID_SESSION.
 * @param capabilities kinds of events to ask for; undefined to leave out the field
 */
export async function resume(
  server: Pick<RunningServer, 'url'>,
  { token, session_token }: Identity,
  s: string,
  capabilities?: readonly string[],
): Promise<GatewayClient> {
  const client = await openGateway(server)
  client.send(Opcode.Resume, { token, session_token, s, capabilities })
  await client.find(({ op, t }) => t === 'RESUMED' || op === Opcode.InvalidSession, 'the answer to RESUME')
  return client
}

/** Connects with a new session of the user. */
export async function connect(server: RunningServer, { id }: { id: string }): Promise<GatewayClient> {
  return identify(server, await openSession(server, id))
}
