/** Minimum number of arrived packets for a result. */
const MIN_PACKETS = 5
/** Number of standard deviations by which losses must exceed the usual losses, if the link cannot carry the packets. */
const DEVIATIONS = 3
/**
 * The link is also full if the packets took longer to arrive than to be sent: by more than this factor, and by more than
 * JITTER_MS, the jitter of a wireless network.
 */
const IS_SLOWER = 1 / 0.9
const JITTER_MS = 6
/** Share of the measured rate that is used, so that no queue remains. */
const USED = 0.95

export interface ProbeResult {
  /** A rate that the link carries, in bits per second. 0 if it lost more than usual: sounds would be lost, too. */
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

interface Arrived extends Sent {
  readonly arrivedMs: number
}

/** Packets sent within a short time. Their arrivals show which rate a link carries. */
export class ProbeCluster {
  #sent = 0
  #reported = 0
  #sentBytes = 0
  /** Bytes sent at the same time as the last packet. They are left out: only a later packet would show how long they took. */
  #lastBytes = 0
  #firstSentAt = 0
  #lastSentAt = 0
  readonly #arrived: Arrived[] = []

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
    if (arrivedMs !== undefined) this.#arrived.push({ bytes, atMs, arrivedMs })
  }

  /**
   * @param usualLostShare the share of packets that the link loses anyway
   * @returns undefined if too little was sent or has arrived
   */
  result(usualLostShare: number): ProbeResult | undefined {
    const sentMs = this.#lastSentAt - this.#firstSentAt
    if (this.#arrived.length < MIN_PACKETS || sentMs <= 0) return undefined
    const arrivingBps = arrivalRate(this.#arrived)
    const isSlower = this.#arrivesSlower(sentMs)
    if (arrivingBps === undefined || isSlower === undefined) return undefined
    const lost = this.#sent - this.#arrived.length
    const usuallyLost = usualLostShare * this.#sent
    const isLossy = lost > usuallyLost + DEVIATIONS * Math.sqrt(usuallyLost)
    const isFull = isSlower || isLossy
    const sentBps = ((this.#sentBytes - this.#lastBytes) * 8000) / sentMs
    // A link that is not full loses packets at random, so the lost packets count as carried.
    const carriedBps = isFull ? arrivingBps : arrivingBps / (1 - lost / this.#sent)
    const bps = isLossy ? 0 : Math.min(sentBps, carriedBps) * USED
    return { bps, isFull, isWhole: lost === 0 }
  }

  /**
   * Compares the least delayed packets of the first and of the last third. Jitter makes single packets late, and a full link all of
   * them.
   * @returns undefined if a third has not arrived
   */
  #arrivesSlower(sentMs: number): boolean | undefined {
    const [firstUntil, lastFrom] = [this.#firstSentAt + sentMs / 3, this.#lastSentAt - sentMs / 3]
    const first = leastDelayed(this.#arrived.filter(({ atMs }) => atMs <= firstUntil))
    const last = leastDelayed(this.#arrived.filter(({ atMs }) => atMs >= lastFrom))
    if (first === undefined || last === undefined) return undefined
    const [betweenSent, betweenArrived] = [last.atMs - first.atMs, last.arrivedMs - first.arrivedMs]
    return betweenArrived > Math.max(betweenSent * IS_SLOWER, betweenSent + JITTER_MS)
  }
}

/** Returns the arrival rate of all packets except those that were sent first; undefined if they arrived at the same time as those. */
function arrivalRate(arrived: readonly Arrived[]): number | undefined {
  const firstSentAt = arrived[0]?.atMs
  const isFirst = ({ atMs }: Arrived) => atMs === firstSentAt
  const beganAt = Math.max(...arrived.filter(isFirst).map(({ arrivedMs }) => arrivedMs))
  const later = arrived.filter((packet) => !isFirst(packet))
  const passedMs = Math.max(...later.map(({ arrivedMs }) => arrivedMs)) - beganAt
  return passedMs > 0 ? (later.reduce((sum, { bytes }) => sum + bytes, 0) * 8000) / passedMs : undefined
}

function leastDelayed(arrived: readonly Arrived[]): Arrived | undefined {
  const delayOf = ({ atMs, arrivedMs }: Arrived) => arrivedMs - atMs
  const [first, ...others] = arrived
  return others.reduce((least, each) => (delayOf(each) < delayOf(least ?? each) ? each : least), first)
}
