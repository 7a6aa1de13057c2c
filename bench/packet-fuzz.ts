// Sends mutated packets to every parser of the media process: RTP with its header extensions and the descriptor of VP8, RTCP, offers
// (SDP), STUN, and the frames of TCP. A parser that throws or breaks one of its bounds fails the run, and so does memory that grows.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { PacketFuzz } from '../apps/server/test/voice/fuzz/packet-fuzz.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'

const MAX_GROWTH_MB = 16
const STEPS = 20

const options = readOptions({ packets: 10_000_000, seed: Date.now() % 2 ** 32 }, { packets: 20_000, seed: 1 })
const { packets, seed } = options.numbers
setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const fuzz = new PacketFuzz(seed)
// Lets V8 compile the code, and fills the ring buffers, before the measurement.
fuzz.run(packets / STEPS)
const before = memory()
let peakMb = before.residentMb
const began = performance.now()
for (let step = 1; step < STEPS; step += 1) {
  fuzz.run(packets / STEPS)
  peakMb = Math.max(peakMb, process.memoryUsage.rss() / 2 ** 20)
}
const seconds = (performance.now() - began) / 1000
const after = memory()
const growthMb = after.heapMb - before.heapMb
report({
  ...options,
  name: 'packet-fuzz',
  problems: growthMb > MAX_GROWTH_MB ? [`${growthMb} MB more are in use`] : [],
  figures: {
    packets,
    seed,
    packets_per_second: (packets * (1 - 1 / STEPS)) / seconds,
    heap_mb_before: before.heapMb,
    heap_mb_after: after.heapMb,
    resident_mb_before: before.residentMb,
    resident_mb_after: after.residentMb,
    resident_mb_peak: peakMb,
  },
})

/** Returns the bytes in use by objects and packets. Leaves out `external`, which varies by 30 MB, as V8 frees it late. */
function memory() {
  collect()
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage()
  return { heapMb: (heapUsed + arrayBuffers) / 2 ** 20, residentMb: rss / 2 ** 20 }
}
