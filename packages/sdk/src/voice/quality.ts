import type { VoiceQuality } from './status.ts'

/** The fields of a getStats report in use. Browsers omit unknown ones. */
export interface Stat {
  id?: string
  kind?: string
  timestamp?: number
  type?: string
  state?: string
  nominated?: boolean
  currentRoundTripTime?: number
  packetsReceived?: number
  packetsLost?: number
  fractionLost?: number
  jitter?: number
  selectedCandidatePairId?: string
  localCandidateId?: string
  protocol?: string
  candidateType?: string
  trackIdentifier?: string
  mediaSourceId?: string
  rid?: string
  active?: boolean
  bytesReceived?: number
  bytesSent?: number
  frameWidth?: number
  frameHeight?: number
  framesPerSecond?: number
  jitterBufferDelay?: number
  jitterBufferEmittedCount?: number
  qualityLimitationReason?: string
}

interface Totals {
  received: number
  lost: number
}

/** The result of getStats. */
export type StatsReport = Iterable<readonly [string, Stat]>

/** Measures the connection's quality since the previous measurement. */
export class QualityMeter {
  #before: Totals = { received: 0, lost: 0 }

  measure(report: StatsReport): VoiceQuality {
    const stats = [...report].map(([, stat]) => stat)
    const inbound = stats.filter(({ type }) => type === 'inbound-rtp')
    const now = { received: sum(inbound, 'packetsReceived'), lost: sum(inbound, 'packetsLost') }
    const lossIn = lossBetween(this.#before, now)
    this.#before = now
    const outbound = stats.filter(({ type }) => type === 'remote-inbound-rtp')
    const lossOut = Math.max(0, ...outbound.map(({ fractionLost = 0 }) => fractionLost * 100))
    const pair = stats.find(({ type, state, nominated }) => {
      return type === 'candidate-pair' && state === 'succeeded' && nominated !== false
    })
    return {
      rttMs: milliseconds(pair?.currentRoundTripTime),
      lossPercent: Math.max(lossIn, lossOut),
      jitterMs: milliseconds(greatest(inbound.flatMap(({ jitter }) => jitter ?? []))),
    }
  }
}

function lossBetween(before: Totals, now: Totals): number {
  const lost = Math.max(0, now.lost - before.lost)
  const sent = lost + Math.max(0, now.received - before.received)
  return sent === 0 ? 0 : (lost / sent) * 100
}

function sum(stats: readonly Stat[], name: 'packetsReceived' | 'packetsLost'): number {
  return stats.reduce((total, stat) => total + (stat[name] ?? 0), 0)
}

function greatest(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : Math.max(...values)
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000
}
