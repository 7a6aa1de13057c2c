// Measures the time until a client receives audio, and the memory that the media process keeps after clients have left. The
// clients use libwebrtc, as browsers do, and run in this process.
import { setTimeout as sleep } from 'node:timers/promises'
import { SfuProcess } from '../apps/server/test/voice/sfu-process.ts'
import { VoicePeer } from '../apps/server/test/voice/voice-peer.ts'
import { percentile } from './load/latencies.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { fillRoom, speakAll } from './voice/room.ts'

const KIB = 2 ** 10
const MAX_P95_MS = 400
/** Maximum memory kept per join: 3 MiB for 600 joins. A track that is closed too late would keep 20 MiB. */
const MAX_KIB_PER_JOIN = 5
const ROOM = 'bench'

const options = readOptions({ joins: 600, warmup: 100, settle: 3 }, { joins: 4, warmup: 1, settle: 0.1 })
const { joins, warmup, settle } = options.numbers
const sfu = await SfuProcess.start()
const { figures, problems } = await measure()
await sfu.stop()
report({ ...options, name: 'voice-join', figures, problems })
process.exit()

async function measure() {
  const { publishers } = await fillRoom(sfu, { publishers: 1, listeners: 0 })
  const hush = speakAll(publishers)
  await joinAndLeave(warmup)
  const begun = await restingBytes()
  const waitsMs = await joinAndLeave(joins)
  const ended = await restingBytes()
  const { sessions } = await sfu.ask('stats', {})
  hush()
  for (const publisher of publishers) publisher.close()
  const kibPerJoin = (ended - begun) / joins / KIB
  const p95 = percentile(waitsMs, 0.95)
  return {
    problems: [
      ...(sessions === 1 ? [] : [`${sessions} sessions left instead of 1`]),
      ...(p95 > MAX_P95_MS && !options.isSmoke ? [`a join takes over ${MAX_P95_MS} ms`] : []),
      ...(kibPerJoin > MAX_KIB_PER_JOIN && !options.isSmoke
        ? [`each join leaks over ${MAX_KIB_PER_JOIN} KiB`]
        : []),
    ],
    figures: {
      joins,
      first_packet_p50_ms: percentile(waitsMs, 0.5),
      first_packet_p95_ms: p95,
      first_packet_p99_ms: percentile(waitsMs, 0.99),
      after_warmup_mib: begun / KIB / KIB,
      after_joins_mib: ended / KIB / KIB,
      kib_left_per_join: kibPerJoin,
    },
  }
}

/** Joins and leaves, one join after the other. Returns the milliseconds from each request to its first packet. */
async function joinAndLeave(times: number): Promise<number[]> {
  const waitsMs: number[] = []
  for (let at = 0; at < times; at += 1) {
    const beganAt = performance.now()
    const name = `joiner ${at}`
    await sfu.join(name, ROOM)
    const peer = new VoicePeer({ tone: 440 })
    await peer.join((offer) => sfu.signal(name, offer))
    while (!peer.hasReceived(0)) await sleep(2)
    waitsMs.push(performance.now() - beganAt)
    peer.close()
    await sfu.ask('kick', { sessionId: name })
  }
  return waitsMs
}

/** Returns the memory of the media process, after a moment in which it frees closed objects. */
async function restingBytes(): Promise<number> {
  await sleep(settle * 1000)
  return (await sfu.ask('stats', {})).residentBytes
}
