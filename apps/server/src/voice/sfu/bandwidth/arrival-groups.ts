import { msBetween } from './send-time.ts'

/** Senders release packets in bursts of this length, and a burst says nothing about the line. */
const BURST_MS = 5
const MAX_BURST_MS = 100
/** A larger difference means that a clock has jumped, or that the sender has paused. */
const MAX_CHANGE_MS = 3000

interface Group {
  readonly firstSentMs: number
  readonly firstArrivedMs: number
  sentMs: number
  arrivedMs: number
}

/** The times between two groups of packets, at both ends of the line. */
export interface GroupTimes {
  readonly sentMs: number
  readonly arrivedMs: number
}

/** Groups packets by their times of sending: draft-ietf-rmcat-gcc-02, 5.2. */
export class ArrivalGroups {
  #lastSendTime: number | undefined
  /** The time of sending, without wrapping around. */
  #sentMs = 0
  #before: Group | undefined
  #current: Group | undefined

  /** Returns the times between the last two groups when a packet begins another one. */
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
    // It was overtaken, so its delay is not that of its group.
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

/** Packets that arrive at once after a wait also form a group: the network held them back, or this process was busy. */
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
