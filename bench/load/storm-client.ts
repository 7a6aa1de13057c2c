import { connect, type Socket } from 'node:net'
import { Opcode } from '@foyer/protocol/gateway'
import { backoffMs } from '@foyer/sdk/delay'
import type { Identity } from './crowd.ts'
import { clientFrame, frameAt } from './frames.ts'
import { upgradeRequest } from './gateway-connection.ts'

const NOTHING = Buffer.alloc(0)
/** Read buffer that all sockets share: each socket handles its bytes before the next one reads. */
const shared = Buffer.alloc(256 * 1024)
const UUID_LENGTH = 36
const backoff = { baseDelayMs: 500, maxDelayMs: 30_000 }

/** Counts of a crowd of clients since they were cut off. */
export interface StormTally {
  /** Milliseconds from the cut to each RESUMED. */
  resumedAfter: number[]
  /** Upgrades that were answered with 503 or 429. The client then waits as long as Retry-After says. */
  refused: number
  /** Connections that failed to open, or closed before RESUMED. */
  retries: number
  /** Sessions that were lost: INVALID_SESSION. */
  failed: number
  /** Replayed events. */
  replayed: number
}

export function newTally(): StormTally {
  return { resumedAfter: [], refused: 0, retries: 0, failed: 0, replayed: 0 }
}

/** A client that reconnects like the SDK, and reads only the beginning of each frame. */
export class StormClient {
  readonly #identity: Identity
  #port: number
  #socket: Socket | undefined
  #tally = newTally()
  #cutAt = 0
  #failures = 0
  #timer: NodeJS.Timeout | undefined
  #s: string | undefined
  #isUpgraded = false
  #rest: Buffer = NOTHING
  #isOver = false
  #joined = Promise.withResolvers<void>()

  constructor(port: number, identity: Identity) {
    this.#port = port
    this.#identity = identity
  }

  /** Connects. Resolves after READY, or after RESUMED if the client had a position. */
  join(): Promise<void> {
    this.#joined = Promise.withResolvers()
    this.#connect()
    return this.#joined.promise
  }

  /** Counts this client's results in the tally from now on. Resolves when the client has resumed or lost its session. */
  expectCut(port: number, tally: StormTally): Promise<void> {
    this.#port = port
    this.#tally = tally
    this.#cutAt = performance.now()
    this.#joined = Promise.withResolvers()
    return this.#joined.promise
  }

  /** Closes the socket without a close frame, as if the network went away. */
  cut(): void {
    this.#socket?.destroy()
  }

  /** Skips the wait before the next attempt, because the server is up again. Only the usual random delay remains. */
  hurry(): void {
    clearTimeout(this.#timer)
    this.#failures = 0
    if (this.#socket === undefined) this.#comeBack()
  }

  /** Closes the connection without reconnecting. */
  close(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#socket?.destroy()
  }

  #connect(): void {
    this.#isUpgraded = false
    this.#rest = NOTHING
    const socket = connect({
      port: this.#port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: shared, callback: (length) => this.#receive(length) },
    })
    this.#socket = socket
    socket.on('error', () => undefined)
    socket.on('close', () => this.#comeBack())
    socket.write(upgradeRequest(this.#port))
  }

  #comeBack(): void {
    if (this.#isOver) return
    if (this.#failures > 0) this.#tally.retries += 1
    this.#socket = undefined
    this.#timer = setTimeout(() => this.#connect(), backoffMs(this.#failures, backoff))
    this.#failures += 1
  }

  #receive(length: number): boolean {
    const bytes = this.#rest.length === 0 ? shared : Buffer.concat([this.#rest, shared.subarray(0, length)])
    const available = bytes === shared ? length : bytes.length
    let at = this.#isUpgraded ? 0 : this.#upgrade(bytes, available)
    for (let frame = frameAt(bytes, at, available); this.#isUpgraded && frame !== undefined; ) {
      this.#receiveFrame(bytes.toString('latin1', frame.start, Math.min(frame.end, frame.start + 100)))
      at = frame.end
      frame = frameAt(bytes, at, available)
    }
    this.#rest = at < available ? Buffer.from(bytes.subarray(at, available)) : NOTHING
    return true
  }

  /** Returns the position of the first frame, once the answer to the upgrade is complete. */
  #upgrade(bytes: Buffer, available: number): number {
    const head = bytes.toString('latin1', 0, available)
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return 0
    this.#isUpgraded = head.startsWith('HTTP/1.1 101')
    if (!this.#isUpgraded) this.#tally.refused += 1
    return end + 4
  }

  /** Handles a frame by its beginning, which this server writes as `{"op":…,"t":"…","s":"…"`. */
  #receiveFrame(head: string): void {
    if (head.startsWith(`{"op":${Opcode.Hello},`)) this.#sendIdentity()
    else if (head.startsWith(`{"op":${Opcode.InvalidSession},`)) this.#join(false)
    else if (head.includes('"t":"READY"')) this.#join(true)
    else if (head.includes('"t":"RESUMED"')) {
      this.#tally.replayed += Number(/"replayed":(\d+)/.exec(head)?.[1])
      this.#join(true)
    }
    const place = head.indexOf('"s":"')
    if (place !== -1) this.#s = head.slice(place + 5, place + 5 + UUID_LENGTH)
  }

  #sendIdentity(): void {
    const op = this.#s === undefined ? Opcode.Identify : Opcode.Resume
    const frame = clientFrame(JSON.stringify({ op, d: { ...this.#identity, s: this.#s } }))
    this.#socket?.write(frame)
  }

  #join(hasSession: boolean): void {
    this.#failures = 0
    if (hasSession) this.#tally.resumedAfter.push(performance.now() - this.#cutAt)
    else this.#tally.failed += 1
    this.#joined.resolve()
  }
}
