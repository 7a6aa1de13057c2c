import { msBetween } from './send-time.ts'

/** Packets sent within this time form a group. Senders send in such bursts, so delays within a burst say nothing about the network. */
const BURST_MS = 5
const MAX_BURST_MS = 100
/** A larger difference between the sent and the arrived time means that a clock has jumped, or the sender has paused. */
const MAX_CHANGE_MS = 3000

interface Group {
  readonly firstSentMs: number
  readonly firstArrivedMs: number
  sentMs: number
  arrivedMs: number
}

/** The time between two groups of packets, at the sender and at the receiver. */
export interface GroupTimes {
  readonly sentMs: number
  readonly arrivedMs: number
}

/** Groups packets by send time: draft-ietf-rmcat-gcc-02, 5.2. */
export class ArrivalGroups {
  #lastSendTime: number | undefined
  /** Send time of the last packet, without wrap-around. */
  #sentMs = 0
  #before: Group | undefined
  #current: Group | undefined

  /** Adds a packet. If it begins a new group, returns the times between the two preceding groups. */
  receive(sendTime: number, arrivedMs: number): GroupTimes | undefined {
    const passedMs = this.#lastSendTime === undefined ? 0 : msBetween(this.#lastSendTime, sendTime)
    this.#lastSendTime = sendTime
    this.#sentMs += passedMs
    const sentMs = this.#sentMs
    const current = this.#current
    if (current === undefined) {
      this.#begin(sentMs, arrivedMs)
      return undefined
    }
    // This packet was sent before the group and overtaken on its way, so its delay is not that of the group.
    if (sentMs < current.firstSentMs) return undefined
    if (isOfGroup(current, sentMs, arrivedMs)) {
      current.sentMs = Math.max(current.sentMs, sentMs)
      current.arrivedMs = arrivedMs
      return undefined
    }
    const times = timesBetween(this.#before, current)
    this.#before = current
    this.#begin(sentMs, arrivedMs)
    if (times === undefined || isPlausible(times)) return times
    this.#before = undefined
    return undefined
  }

  #begin(sentMs: number, arrivedMs: number): void {
    this.#current = { firstSentMs: sentMs, firstArrivedMs: arrivedMs, sentMs, arrivedMs }
  }
}

/** Packets that arrive together after a wait also form a group: the network held them, or this process was busy. */
function isOfGroup(group: Group, sentMs: number, arrivedMs: number): boolean {
  if (sentMs - group.firstSentMs <= BURST_MS) return true
  const arrivedDifference = arrivedMs - group.arrivedMs
  const isCatchingUp = arrivedDifference - (sentMs - group.sentMs) < 0
  return isCatchingUp && arrivedDifference <= BURST_MS && arrivedMs - group.firstArrivedMs < MAX_BURST_MS
}

function timesBetween(before: Group | undefined, current: Group): GroupTimes | undefined {
  if (before === undefined) return undefined
  return { sentMs: current.sentMs - before.sentMs, arrivedMs: current.arrivedMs - before.arrivedMs }
}

function isPlausible({ sentMs, arrivedMs }: GroupTimes): boolean {
  return arrivedMs >= 0 && Math.abs(arrivedMs - sentMs) <= MAX_CHANGE_MS
}
