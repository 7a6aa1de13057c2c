// Measures the CPU time of the media process while fifty users watch a screen of 4 Mbit/s. The clients run in this process.
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { measureScreen } from './voice/crowded-screen.ts'

const MAX_CORES = 0.5

const options = readOptions({ viewers: 50, seconds: 15 }, { viewers: 3, seconds: 0.5 })
const screen = await measureScreen(options.numbers)
report({
  ...options,
  name: 'voice-screen',
  problems: [
    ...(screen.packetsPerSecond === 0 ? ['no picture arrives'] : []),
    ...(screen.cores > MAX_CORES && !options.isSmoke ? [`over ${MAX_CORES} cores`] : []),
  ],
  figures: {
    viewers: options.numbers.viewers,
    cores: screen.cores,
    kbit_per_viewer: screen.kbitPerViewer,
    packets_per_second: screen.packetsPerSecond,
    cpu_us_per_packet: screen.cpuUsPerPacket,
    lost: screen.lost,
  },
})
process.exit()
