import { Counter, Gauge } from 'prom-client'
import type { Metrics } from '#src/kernel/metrics.ts'
import type { EngineStats, VoiceEngine } from './engine.ts'

/** Time for which an answer of the engine is reused: all metrics of a scrape share one answer. */
const FRESH_MS = 500

/** Exposes the sessions and packets of this process's engine at /metrics. */
export function meterVoice({ registry }: Metrics, engine: VoiceEngine): void {
  const registers = [registry]
  const ask = remembered(() => engine.stats())
  const gauge = (name: string, help: string, read: (stats: EngineStats) => number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(read(await ask()))
      },
    })
  gauge('foyer_voice_sessions', 'Sessions in voice rooms and calls', (stats) => stats.sessions)
  gauge('foyer_voice_rooms', 'Voice rooms and calls in use', (stats) => stats.rooms)
  gauge('foyer_voice_processes', 'Processes that carry media', (stats) => stats.processes)
  gauge('foyer_voice_tcp_connections', 'Connections of clients by TCP', (stats) => stats.tcpConnections)
  gauge('foyer_voice_pictures', 'Cameras and screens that send', (stats) => stats.pictures)
  const count = (name: string, help: string, read: (stats: EngineStats) => number) =>
    new Counter({
      name,
      help,
      registers,
      async collect() {
        const stats = await ask()
        this.reset()
        this.inc(read(stats))
      },
    })
  count('foyer_voice_packets_forwarded_total', 'Media packets forwarded', (stats) => stats.packetsForwarded)
  count(
    'foyer_voice_packets_dropped_total',
    'Media packets dropped: over the limits of a publisher, not a valid stream of their sender, or late for a slow network by TCP',
    (stats) => stats.packetsDropped,
  )
  const lost = new Counter({
    name: 'foyer_voice_processes_lost_total',
    help: 'Processes that ended while they had sessions, which others then continued',
    registers,
  })
  engine.on('nodeLost', () => lost.inc())
}

function remembered<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (answer === undefined || now - askedAt > FRESH_MS) {
      answer = ask()
      askedAt = now
    }
    return answer
  }
}
