// Measures the media process in a room in which everyone sends a camera in three layers and watches eight others: all large, or the
// first large and the others small or hidden. For comparison, all send a single stream, which is always forwarded whole. The clients
// run in this process.
import { percentile } from './load/latencies.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { LAYERS } from './voice/picture-camera.ts'
import { PictureBench } from './voice/pictures.ts'

const MAX_CPU_US = 15
const MAX_CORES = 0.6
const MAX_CHANGE_P95_MS = 500
const LARGE = 720
const SMALL = 180

const options = readOptions(
  { cameras: 25, seconds: 10, changes: 25 },
  { cameras: 3, seconds: 0.5, changes: 2 },
)
const load = options.numbers

const single = await PictureBench.open(load, LAYERS.slice(-1))
await single.watch(undefined, undefined)
const whole = await single.measure(load.seconds)
await single.close()

const layered = await PictureBench.open(load)
await layered.watch(LARGE, LARGE)
const large = await layered.measure(load.seconds)
await layered.watch(LARGE, SMALL)
const looked = await layered.measure(load.seconds)
await layered.watch(LARGE, 0)
const hidden = await layered.measure(load.seconds)
await layered.watch(0, 0)
const nothing = await layered.measure(load.seconds)
const raisedMs = await layered.change(load.changes, SMALL, LARGE)
const loweredMs = await layered.change(load.changes, LARGE, SMALL)
const shownMs = await layered.change(load.changes, 0, SMALL)
await layered.close()

const worstMs = Math.max(...[raisedMs, loweredMs, shownMs].map((waits) => percentile(waits, 0.95)))
// Leaves out small pictures: there, two packets are received for three forwarded, and receiving costs more than sending.
const costs = [whole, large].map(({ cpuUsPerPacket }) => cpuUsPerPacket)
report({
  ...options,
  name: 'voice-pictures',
  problems: [
    ...(nothing.packetsPerSecond > 0 ? ['hidden pictures are forwarded'] : []),
    ...(Math.max(...costs) > MAX_CPU_US && !options.isSmoke
      ? [`over ${MAX_CPU_US} µs a forwarded packet`]
      : []),
    ...(looked.cores > MAX_CORES && !options.isSmoke ? [`over ${MAX_CORES} cores`] : []),
    ...(worstMs > MAX_CHANGE_P95_MS && !options.isSmoke
      ? [`a change takes over ${MAX_CHANGE_P95_MS} ms`]
      : []),
  ],
  figures: {
    cameras: load.cameras,
    single_stream_kbit_per_viewer: whole.kbitPerViewer,
    single_stream_packets_per_second: whole.packetsPerSecond,
    single_stream_cpu_us_per_packet: whole.cpuUsPerPacket,
    single_stream_cpu_us_per_packet_in_or_out: whole.cpuUsPerPacketInOrOut,
    single_stream_cores: whole.cores,
    large_layers_kbit_per_viewer: large.kbitPerViewer,
    large_layers_packets_per_second: large.packetsPerSecond,
    large_layers_cpu_us_per_packet: large.cpuUsPerPacket,
    large_layers_cores: large.cores,
    layers_kbit_per_viewer: looked.kbitPerViewer,
    layers_packets_per_second: looked.packetsPerSecond,
    layers_cpu_us_per_packet: looked.cpuUsPerPacket,
    layers_cpu_us_per_packet_in_or_out: looked.cpuUsPerPacketInOrOut,
    layers_cores: looked.cores,
    one_large_others_hidden_kbit_per_viewer: hidden.kbitPerViewer,
    all_hidden_packets_per_second: nothing.packetsPerSecond,
    all_hidden_cores: nothing.cores,
    raised_p50_ms: percentile(raisedMs, 0.5),
    raised_p95_ms: percentile(raisedMs, 0.95),
    lowered_p95_ms: percentile(loweredMs, 0.95),
    shown_again_p50_ms: percentile(shownMs, 0.5),
    shown_again_p95_ms: percentile(shownMs, 0.95),
    lost: whole.lost + large.lost + looked.lost,
  },
})
process.exit()
