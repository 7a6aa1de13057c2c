import { defer } from '../deferred.ts'
import type { SentStream } from './rtcp.ts'
import { type RtpPacket, VP8_TICKS_PER_MS } from './rtp.ts'
import { vp8PayloadsOf } from './vp8-payload.ts'

/** Maximum queued frames: half a minute at 30 frames per second. */
const MAX_WAITING = 900
const MAX_WAITING_BYTES = 32 * 1024 * 1024
/** Delay from which a late frame counts as the end of a pause: later frames are not sent faster to catch up. */
const MAX_BEHIND_MS = 200
/** Maximum step between two times in a recording. A longer step counts as the start of a new recording. */
const MAX_STEP_MS = 10_000
/** Packets sent at once, and the pause after them: a large key frame must not overflow network buffers. */
const BURST_PACKETS = 8
const BURST_PAUSE_MS = 5
/** Shortest time between two requests for a key frame. */
const REQUEST_MS = 500
/** Sent packets kept to be resent: over a second of them. */
const KEPT_PACKETS = 1024

export interface TimedFrame {
  readonly frame: Uint8Array
  readonly isKeyFrame: boolean
  /** Time of the frame in its recording; undefined to send it at once. */
  readonly atMs: number | undefined
}

interface Waiting extends TimedFrame {
  readonly settle: (isSent: boolean) => void
}

/** Sends the frames of a camera or screen as RTP packets, each frame at its time. */
export class Vp8Sender {
  readonly ssrc: number
  readonly #send: (packet: RtpPacket) => boolean
  readonly #wantKeyFrame: () => void
  readonly #waiting: Waiting[] = []
  readonly #kept = new Map<number, RtpPacket>()
  readonly #beganAt = performance.now()
  readonly #firstTimestamp = Math.floor(Math.random() * 2 ** 31)
  #waitingBytes = 0
  #isRunning = false
  #ends = new AbortController()
  /** Clock time of the recording's start, in milliseconds; undefined before its first frame. */
  #startAt: number | undefined
  #lastAtMs = 0
  /** True after a dropped frame: later frames refer to it, so they cannot be decoded before a key frame. */
  #needsKeyFrame = true
  /** True after a frame was refused because the queue is full, until the next key frame. */
  #isCut = false
  #requestedAt = Number.NEGATIVE_INFINITY
  #sequence = Math.floor(Math.random() * 2 ** 15)
  #pictureId = Math.floor(Math.random() * 2 ** 15)
  #timestamp = 0
  #packets = 0
  #octets = 0

  /**
   * @param send returns true if the packet was sent
   * @param wantKeyFrame called when frames are of no use until a key frame is sent
   */
  constructor(ssrc: number, send: (packet: RtpPacket) => boolean, wantKeyFrame: () => void) {
    this.ssrc = ssrc
    this.#send = send
    this.#wantKeyFrame = wantKeyFrame
  }

  /** Queues a frame. @returns true once the frame was sent at its time; false if it was dropped */
  push(timed: TimedFrame): Promise<boolean> {
    const isFull =
      this.#waiting.length >= MAX_WAITING || this.#waitingBytes + timed.frame.length > MAX_WAITING_BYTES
    this.#isCut = isFull || (this.#isCut && !timed.isKeyFrame)
    if (this.#isCut) {
      this.#requestKeyFrame()
      return Promise.resolve(false)
    }
    const { promise, resolve } = defer<boolean>()
    this.#waiting.push({ ...timed, settle: resolve })
    this.#waitingBytes += timed.frame.length
    if (!this.#isRunning) void this.#run()
    return promise
  }

  /** Drops all queued frames. The next frame must be a key frame. */
  restart(): void {
    this.#ends.abort()
    this.#ends = new AbortController()
    this.#isRunning = false
    this.#startAt = undefined
    this.#needsKeyFrame = true
    this.#isCut = false
    this.#waitingBytes = 0
    for (const { settle } of this.#waiting.splice(0)) settle(false)
  }

  resend(sequences: readonly number[]): void {
    for (const sequence of sequences) {
      const packet = this.#kept.get(sequence)
      if (packet !== undefined) this.#send(packet)
    }
  }

  /** Returns the state of the stream, for a sender report; undefined before anything was sent. */
  sent(nowMs: number): SentStream | undefined {
    if (this.#packets === 0) return undefined
    const timestamp = this.#timestampAt(nowMs)
    return { ssrc: this.ssrc, timestamp, packets: this.#packets, octets: this.#octets }
  }

  async #run(): Promise<void> {
    const { signal } = this.#ends
    this.#isRunning = true
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      const dueAt = this.#dueAt(next)
      await passed(dueAt - performance.now(), signal)
      if (signal.aborted) return
      this.#waiting.shift()
      this.#waitingBytes -= next.frame.length
      next.settle(await this.#sendFrame(next, dueAt, signal))
      if (signal.aborted) return
    }
    this.#isRunning = false
  }

  #dueAt({ atMs }: TimedFrame): number {
    const nowMs = performance.now()
    if (atMs === undefined) return nowMs
    const isNew = atMs < this.#lastAtMs || atMs - this.#lastAtMs > MAX_STEP_MS
    const isBehind = nowMs - (this.#startAt ?? 0) - atMs > MAX_BEHIND_MS
    if (this.#startAt === undefined || isNew || isBehind) this.#startAt = nowMs - atMs
    this.#lastAtMs = atMs
    return this.#startAt + atMs
  }

  async #sendFrame({ frame, isKeyFrame }: TimedFrame, dueAt: number, signal: AbortSignal): Promise<boolean> {
    if (this.#needsKeyFrame && !isKeyFrame) {
      this.#requestKeyFrame()
      return false
    }
    this.#needsKeyFrame = true
    const packets = this.#packetsOf(frame, dueAt)
    for (let at = 0; at < packets.length; at += BURST_PACKETS) {
      const burst = packets.slice(at, at + BURST_PACKETS)
      if (signal.aborted || !burst.every((packet) => this.#sendPacket(packet))) return false
      if (at + BURST_PACKETS < packets.length) await passed(BURST_PAUSE_MS, signal)
    }
    this.#needsKeyFrame = false
    return true
  }

  #packetsOf(frame: Uint8Array, dueAt: number): RtpPacket[] {
    // Each frame needs a timestamp of its own: two frames with the same timestamp would count as one frame.
    const behind = (this.#timestamp + 1 - this.#timestampAt(dueAt)) | 0
    const isFirst = this.#packets === 0
    this.#timestamp = (this.#timestampAt(dueAt) + (isFirst ? 0 : Math.max(0, behind))) >>> 0
    this.#pictureId = (this.#pictureId + 1) & 0x7fff
    const payloads = vp8PayloadsOf(frame, this.#pictureId)
    return payloads.map((payload, at) => {
      this.#sequence = (this.#sequence + 1) & 0xffff
      const marker = at === payloads.length - 1
      return { ssrc: this.ssrc, sequence: this.#sequence, timestamp: this.#timestamp, marker, payload }
    })
  }

  #sendPacket(packet: RtpPacket): boolean {
    if (!this.#send(packet)) return false
    this.#packets += 1
    this.#octets += packet.payload.length
    this.#kept.delete(packet.sequence)
    this.#kept.set(packet.sequence, packet)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > KEPT_PACKETS && oldest !== undefined) this.#kept.delete(oldest)
    return true
  }

  #requestKeyFrame(): void {
    const nowMs = performance.now()
    if (nowMs - this.#requestedAt < REQUEST_MS) return
    this.#requestedAt = nowMs
    this.#wantKeyFrame()
  }

  #timestampAt(atMs: number): number {
    return (this.#firstTimestamp + Math.round((atMs - this.#beganAt) * VP8_TICKS_PER_MS)) >>> 0
  }
}

/** Resolves after the time, or as soon as the signal is aborted. */
async function passed(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return
  const { promise, resolve } = defer<void>()
  const end = () => resolve()
  const timer = setTimeout(end, ms)
  signal.addEventListener('abort', end)
  await promise
  clearTimeout(timer)
  signal.removeEventListener('abort', end)
}
