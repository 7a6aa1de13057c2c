// Measures how long the server takes to start, with an empty DATA_DIR and with a used one.
import { median } from './load/latencies.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { makeDataDir, startFoyer } from './server/foyer.ts'

const options = readOptions({ rounds: 5, later: 2 }, { rounds: 1, later: 1 })
const { rounds, later } = options.numbers
const firstStarts: number[] = []
const laterStarts: number[] = []
for (let round = 0; round < rounds; round += 1) await startInNewFolder()

report({
  ...options,
  name: 'cold-start',
  problems: [],
  figures: {
    first_start_median_ms: median(firstStarts),
    first_start_worst_ms: Math.max(...firstStarts),
    later_start_median_ms: median(laterStarts),
    later_start_worst_ms: Math.max(...laterStarts),
  },
})

async function startInNewFolder(): Promise<void> {
  const dataDir = await makeDataDir()
  try {
    firstStarts.push(await startOnce(dataDir.path))
    for (let start = 0; start < later; start += 1) laterStarts.push(await startOnce(dataDir.path))
  } finally {
    await dataDir.remove()
  }
}

async function startOnce(path: string): Promise<number> {
  const foyer = await startFoyer({ dataDir: path })
  await foyer.stop()
  return foyer.startMs
}
