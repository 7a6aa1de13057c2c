// Measures the age of the frames of a video, at 30 frames a second, when another page is about to show them: through the server,
// and over a direct connection between the two pages. Each frame shows the time at which it was drawn.
import { launchBrowser } from '../e2e/browser.ts'
import { startProgram } from '../e2e/program.ts'
import { percentile } from './load/latencies.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { makeDataDir } from './server/foyer.ts'
import type { ShownFrame } from './voice/picture-clock.ts'
import { measureDelays } from './voice/picture-delay.ts'

const MAX_P95_MS = 150
const MAX_P95_MS_OVER_DIRECT = 30

const options = readOptions({ height: 720, warmup: 5, seconds: 15 }, { height: 180, warmup: 0, seconds: 1 })
const { height, seconds } = options.numbers
const dataDir = await makeDataDir()
const program = await startProgram({ dataDir: dataDir.path })
const browser = await launchBrowser({ microphone: true })
const frames = await measureDelays(program, browser, options.numbers).finally(async () => {
  await browser.close()
  await program.stop()
  await dataDir.remove()
})
const [served, direct] = [summarize(frames.throughServer), summarize(frames.direct)]
const limits: [isBroken: boolean, problem: string][] = [
  [served.p95 > MAX_P95_MS, `pictures are over ${MAX_P95_MS} ms old`],
  [
    served.p95 - direct.p95 > MAX_P95_MS_OVER_DIRECT,
    `pictures are over ${MAX_P95_MS_OVER_DIRECT} ms older than over a direct connection`,
  ],
]
report({
  ...options,
  name: height === 720 ? 'picture-delay' : `picture-delay-${height}`,
  problems: [
    ...([...frames.throughServer, ...frames.direct].some((frame) => frame.height !== height)
      ? [`pictures do not have ${height} lines`]
      : []),
    ...limits.flatMap(([isBroken, problem]) => (isBroken && !options.isSmoke ? [problem] : [])),
  ],
  figures: {
    lines: height,
    frames_per_second: served.perSecond,
    age_p50_ms: served.p50,
    age_p95_ms: served.p95,
    direct_frames_per_second: direct.perSecond,
    direct_age_p50_ms: direct.p50,
    direct_age_p95_ms: direct.p95,
  },
})
process.exit()

function summarize(shown: readonly ShownFrame[]): { perSecond: number; p50: number; p95: number } {
  const ages = shown.map(({ ageMs }) => ageMs)
  return { perSecond: shown.length / seconds, p50: percentile(ages, 0.5), p95: percentile(ages, 0.95) }
}
