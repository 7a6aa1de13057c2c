/** Fewer packets say little. */
const MIN_PACKETS = 5
/** Share of its packets that must arrive. */
const MIN_ARRIVED = 0.8
/** If less than this share of the sent rate arrives, the link is full. */
const IS_CARRIED = 0.9
/** Share of the measured rate that is used, so that no queue remains. */
const USED = 0.95

export interface ProbeResult {
  /** A rate that the link carries, in bits per second. */
  readonly bps: number
  /** True if the link carries no more. */
  readonly isFull: boolean
  /** True if no packet was lost. */
  readonly isWhole: boolean
}

interface Sent {
  readonly bytes: number
  readonly atMs: number
}

/** Packets that are sent within a moment, to measure by their arrivals which rate a link carries. */
export class ProbeCluster {
  #sent = 0
  #reported = 0
  #arrived = 0
  #sentBytes = 0
  /** Bytes sent at the time of the last packet. How long they take, only a later packet would show. */
  #lastBytes = 0
  #firstSentAt = 0
  #lastSentAt = 0
  /** Bytes that arrived after `firstArrivedAt`. */
  #arrivedBytes = 0
  /** Arrival of the last of the packets that were sent first. */
  #firstArrivedAt: number | undefined
  #lastArrivedAt = 0

  /** True once the client has reported each packet as arrived or lost. */
  get isReported(): boolean {
    return this.#reported >= this.#sent
  }

  send({ bytes, atMs }: Sent): void {
    if (this.#sent === 0) this.#firstSentAt = atMs
    if (atMs > this.#lastSentAt) this.#lastBytes = 0
    this.#sent += 1
    this.#sentBytes += bytes
    this.#lastBytes += bytes
    this.#lastSentAt = atMs
  }

  /** @param arrivedMs undefined if the packet is lost */
  receive({ bytes, atMs }: Sent, arrivedMs: number | undefined): void {
    this.#reported += 1
    if (arrivedMs === undefined) return
    this.#arrived += 1
    if (atMs === this.#firstSentAt) this.#firstArrivedAt = arrivedMs
    else this.#arrivedBytes += bytes
    this.#lastArrivedAt = Math.max(this.#lastArrivedAt, arrivedMs)
  }

  /** Returns undefined if too little was sent or has arrived. */
  result(): ProbeResult | undefined {
    const sentMs = this.#lastSentAt - this.#firstSentAt
    const arrivedMs = this.#lastArrivedAt - (this.#firstArrivedAt ?? this.#lastArrivedAt)
    const isEnough = this.#arrived >= Math.max(MIN_PACKETS, this.#sent * MIN_ARRIVED)
    if (!isEnough || sentMs <= 0 || arrivedMs <= 0) return undefined
    const sentBps = ((this.#sentBytes - this.#lastBytes) * 8000) / sentMs
    const arrivedBps = (this.#arrivedBytes * 8000) / arrivedMs
    return {
      bps: Math.min(sentBps, arrivedBps) * USED,
      isFull: arrivedBps < sentBps * IS_CARRIED,
      isWhole: this.#arrived === this.#sent,
    }
  }
}
