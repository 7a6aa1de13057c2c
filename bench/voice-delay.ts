// Measures the delay of packets from speaker to listener at 10,000 packets a second: ten users speak, 25 listen to eight of
// them. Senders and receivers run in this process, whose own delays are included.
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { measureForwarding } from './voice/forwarding.ts'

const MAX_P99_MS = 10

const options = readOptions(
  { publishers: 10, listeners: 25, seconds: 20, warmup: 3 },
  { publishers: 2, listeners: 3, seconds: 0.5, warmup: 0.5 },
)
const forwarding = await measureForwarding(options.numbers)
report({
  ...options,
  name: 'voice-delay',
  problems: [
    ...(forwarding.lostShare > 0 ? ['listeners miss packets'] : []),
    ...(forwarding.delayP99Ms > MAX_P99_MS && !options.isSmoke
      ? [`the 99th percentile is over ${MAX_P99_MS} ms`]
      : []),
  ],
  figures: {
    packets_per_second: forwarding.packetsPerSecond,
    delay_p50_ms: forwarding.delayP50Ms,
    delay_p99_ms: forwarding.delayP99Ms,
    lost_share: forwarding.lostShare,
    cpu_us_per_packet: forwarding.cpuUsPerPacket,
  },
})
process.exit()
