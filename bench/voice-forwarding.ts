// Measures the CPU time of the media process per forwarded packet: ten users speak, a hundred listen. The clients run in this process, on
// the same native library as the server.
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { measureForwarding } from './voice/forwarding.ts'

const MAX_CPU_US = 12

const options = readOptions(
  { publishers: 10, listeners: 100, seconds: 20, warmup: 3 },
  { publishers: 3, listeners: 5, seconds: 0.5, warmup: 0.5 },
)
const forwarding = await measureForwarding(options.numbers)
report({
  ...options,
  name: 'voice-forwarding',
  problems: [
    ...(forwarding.lostShare > 0 ? ['listeners miss packets'] : []),
    ...(forwarding.cpuUsPerPacket > MAX_CPU_US && !options.isSmoke ? [`over ${MAX_CPU_US} µs a packet`] : []),
  ],
  figures: {
    publishers: options.numbers.publishers,
    listeners: options.numbers.listeners,
    packets_per_second: forwarding.packetsPerSecond,
    cpu_us_per_packet: forwarding.cpuUsPerPacket,
    cores: forwarding.cores,
    packets_per_second_of_one_core: 1e6 / forwarding.cpuUsPerPacket,
    load_cores: forwarding.loadCores,
    lost_share: forwarding.lostShare,
    dropped: forwarding.dropped,
  },
})
process.exit()
