import { chosenPair, type Stat, type StatsReport } from './stats.ts'
import type { VoiceQuality } from './status.ts'

interface Totals {
  received: number
  lost: number
}

/** Measures the connection's quality since the previous measurement. */
export class QualityMeter {
  #before: Totals = { received: 0, lost: 0 }

  measure(report: StatsReport): VoiceQuality {
    const byId = new Map(report)
    const stats = [...byId.values()]
    const inbound = stats.filter(({ type }) => type === 'inbound-rtp')
    const now = { received: sum(inbound, 'packetsReceived'), lost: sum(inbound, 'packetsLost') }
    const lossIn = lossBetween(this.#before, now)
    this.#before = now
    const outbound = stats.filter(({ type }) => type === 'remote-inbound-rtp')
    const lossOut = Math.max(0, ...outbound.map(({ fractionLost = 0 }) => fractionLost * 100))
    return {
      rttMs: milliseconds(chosenPair(byId)?.currentRoundTripTime),
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
