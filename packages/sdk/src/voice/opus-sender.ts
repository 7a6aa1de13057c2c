import { defer } from '../deferred.ts'
import { opusDurationMs } from './opus.ts'
import type { SentStream } from './rtcp.ts'
import { OPUS_TICKS_PER_MS, type RtpPacket } from './rtp.ts'

/** Maximum queued frames: half a minute of 20 ms frames. */
const MAX_WAITING = 1500
/** Delay from which a late frame counts as the end of a pause: later frames are not sent faster to catch up. */
const MAX_BEHIND_MS = 60

interface Waiting {
  readonly frame: Uint8Array
  readonly settle: (isSent: boolean) => void
}

/** Sends frames at their playing time, one after another. */
export class OpusSender {
  readonly #send: (packet: RtpPacket) => boolean
  readonly #ssrc: number
  readonly #waiting: Waiting[] = []
  #dueAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #sequence = Math.floor(Math.random() * 2 ** 15)
  #timestamp = Math.floor(Math.random() * 2 ** 31)

  #packets = 0
  #octets = 0

  /** @param send returns true if the packet was sent */
  constructor(ssrc: number, send: (packet: RtpPacket) => boolean) {
    this.#ssrc = ssrc
    this.#send = send
  }

  /** Queues a frame. @returns true once the frame was sent; false if it was dropped */
  push(frame: Uint8Array): Promise<boolean> {
    if (this.#waiting.length >= MAX_WAITING) return Promise.resolve(false)
    const { promise, resolve } = defer<boolean>()
    this.#waiting.push({ frame, settle: resolve })
    if (this.#timer === undefined) this.#goOn()
    return promise
  }

  /** Returns the state of the stream, for a sender report; undefined before anything was sent. */
  sent(nowMs: number): SentStream | undefined {
    if (this.#packets === 0) return undefined
    const timestamp = this.#timestamp + Math.round((nowMs - this.#dueAt) * OPUS_TICKS_PER_MS)
    return { ssrc: this.#ssrc, timestamp, packets: this.#packets, octets: this.#octets }
  }

  /** Drops all queued frames. */
  clear(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const { settle } of this.#waiting.splice(0)) settle(false)
  }

  #goOn(): void {
    this.#timer = undefined
    const [next] = this.#waiting
    if (next === undefined) return
    const waitMs = this.#dueAt - performance.now()
    if (waitMs > 0) {
      this.#timer = setTimeout(() => this.#goOn(), waitMs)
      return
    }
    this.#waiting.shift()
    next.settle(this.#sendNow(next.frame))
    this.#goOn()
  }

  #sendNow(frame: Uint8Array): boolean {
    const behindMs = performance.now() - this.#dueAt
    const marker = behindMs > MAX_BEHIND_MS
    if (marker) {
      this.#timestamp += Math.round(behindMs * OPUS_TICKS_PER_MS)
      this.#dueAt += behindMs
    }
    const [sequence, timestamp] = [this.#sequence, this.#timestamp]
    const durationMs = opusDurationMs(frame)
    this.#sequence += 1
    this.#timestamp += durationMs * OPUS_TICKS_PER_MS
    this.#dueAt += durationMs
    const isSent = this.#send({ ssrc: this.#ssrc, sequence, timestamp, marker, payload: frame })
    if (isSent) {
      this.#packets += 1
      this.#octets += frame.length
    }
    return isSent
  }
}
