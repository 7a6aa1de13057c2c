// Measures the time from a click on "Watch stream" in the web client until the first frame of the screen is shown, in Chromium.

import { launchBrowser } from '../e2e/browser.ts'
import { startProgram } from '../e2e/program.ts'
import { percentile } from './load/latencies.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { makeDataDir } from './server/foyer.ts'
import { measureFirstPictures } from './voice/first-picture.ts'

const MAX_P50_MS = 400
const MAX_P95_MS = 1000

const options = readOptions({ clicks: 40 }, { clicks: 2 })
const dataDir = await makeDataDir()
const program = await startProgram({ dataDir: dataDir.path })
const browser = await launchBrowser({ microphone: true })
const waitsMs = await measureFirstPictures(program, browser, options.numbers.clicks).finally(async () => {
  await browser.close()
  await program.stop()
  await dataDir.remove()
})
const [p50, p95] = [percentile(waitsMs, 0.5), percentile(waitsMs, 0.95)]
const limits: [isBroken: boolean, problem: string][] = [
  [p50 > MAX_P50_MS, `half of the first pictures take over ${MAX_P50_MS} ms`],
  [p95 > MAX_P95_MS, `some first pictures take over ${MAX_P95_MS} ms`],
]
report({
  ...options,
  name: 'first-picture',
  problems: limits.flatMap(([isBroken, problem]) => (isBroken && !options.isSmoke ? [problem] : [])),
  figures: { clicks: options.numbers.clicks, first_picture_p50_ms: p50, first_picture_p95_ms: p95 },
})
process.exit()
