/** Length of a burst that may be sent at once: longer than the interval between calls of `flush`, so that the full rate is reached. */
const BURST_MS = 15
/** One packet always fits. */
const MIN_BURST_BYTES = 1500
const MAX_WAIT_MS = 800
/** Memory limit, if many senders flood a viewer. The highest budget (30 Mbit/s) sends less in MAX_WAIT_MS. */
const MAX_WAITING_BYTES = 4_000_000

interface Waiting {
  readonly packet: Buffer
  readonly atMs: number
}

/** Spreads video packets, so that a key frame does not fill the network's queue, in which audio would wait or be lost. */
export class Pacer {
  readonly #send: (packet: Buffer, nowMs: number) => boolean
  #bps = Number.POSITIVE_INFINITY
  #bytes = 0
  #filledAt = 0
  #waiting: Waiting[] = []
  #waitingBytes = 0

  /** @param send sends a packet immediately */
  constructor(send: (packet: Buffer, nowMs: number) => boolean) {
    this.#send = send
  }

  setRate(bps: number, nowMs: number): void {
    this.#fill(nowMs)
    this.#bps = bps
  }

  /**
   * Copies the packet if it has to wait.
   * @returns false if it could not be sent; a packet that waits may be dropped later
   */
  send(packet: Buffer, nowMs: number): boolean {
    this.flush(nowMs)
    if (this.#waiting.length === 0 && this.#take(packet.length, nowMs)) return this.#send(packet, nowMs)
    if (this.#waitingBytes + packet.length > MAX_WAITING_BYTES) return false
    this.#waiting.push({ packet: Buffer.from(packet), atMs: nowMs })
    this.#waitingBytes += packet.length
    return true
  }

  /** Sends as many waiting packets as the rate permits. Old ones are dropped, so that newer frames come sooner. */
  flush(nowMs: number): void {
    let gone = 0
    for (const { packet, atMs } of this.#waiting) {
      const isOld = nowMs - atMs > MAX_WAIT_MS
      if (!isOld && !this.#take(packet.length, nowMs)) break
      if (!isOld) this.#send(packet, nowMs)
      this.#waitingBytes -= packet.length
      gone += 1
    }
    if (gone > 0) this.#waiting = this.#waiting.slice(gone)
  }

  /** Drops waiting packets, such as those of a picture that may not be shown any more. */
  drop(isGone: (packet: Buffer) => boolean): void {
    this.#waiting = this.#waiting.filter(({ packet }) => !isGone(packet))
    this.#waitingBytes = this.#waiting.reduce((sum, { packet }) => sum + packet.length, 0)
  }

  #take(bytes: number, nowMs: number): boolean {
    if (this.#bps === Number.POSITIVE_INFINITY) return true
    this.#fill(nowMs)
    if (this.#bytes < bytes) return false
    this.#bytes -= bytes
    return true
  }

  #fill(nowMs: number): void {
    if (this.#bps === Number.POSITIVE_INFINITY) {
      this.#bytes = MIN_BURST_BYTES
    } else {
      const bytesPerMs = this.#bps / 8000
      const most = Math.max(MIN_BURST_BYTES, bytesPerMs * BURST_MS)
      this.#bytes = Math.min(most, this.#bytes + (nowMs - this.#filledAt) * bytesPerMs)
    }
    this.#filledAt = nowMs
  }
}
