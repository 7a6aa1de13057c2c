// Measures a video in Chromium over connections that lose packets at random in both directions: first the viewer's connection,
// then the sender's. Compares their traffic with the traffic of the same video without loss.
import { launchBrowser } from '../e2e/browser.ts'
import { startProgram } from '../e2e/program.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { makeDataDir } from './server/foyer.ts'
import { measureLosses, type PictureCounts } from './voice/picture-loss.ts'

const MIN_SHOWN = 0.98
const MAX_FREEZE_SECONDS_PER_MINUTE = 0.5
const MAX_MORE_TRAFFIC = 0.12

const options = readOptions(
  { height: 360, percent: 5, warmup: 5, seconds: 60 },
  { height: 180, warmup: 1, seconds: 2 },
)
const { percent, seconds } = options.numbers
const dataDir = await makeDataDir()
const program = await startProgram({ dataDir: dataDir.path })
const browser = await launchBrowser({ microphone: true })
const { clean, viewerLoses, senderLoses } = await measureLosses(program, browser, {
  ...options.numbers,
  loss: percent / 100,
}).finally(async () => {
  await browser.close()
  await program.stop()
  await dataDir.remove()
})
const results = [
  { name: 'clean', ...summarize(clean, 'viewerBytes') },
  { name: 'viewer_loses', ...summarize(viewerLoses, 'viewerBytes') },
  { name: 'sender_loses', ...summarize(senderLoses, 'senderBytes') },
]
const limits = results.flatMap(({ name, shown, freezeSeconds, moreTraffic }): [boolean, string][] => [
  [shown < MIN_SHOWN, `${name}: too few frames are shown`],
  [freezeSeconds > MAX_FREEZE_SECONDS_PER_MINUTE, `${name}: freezes are too long`],
  [moreTraffic > MAX_MORE_TRAFFIC, `${name}: repairs need too much traffic`],
])
report({
  ...options,
  name: 'picture-loss',
  problems: limits.flatMap(([isBroken, problem]) => (isBroken && !options.isSmoke ? [problem] : [])),
  figures: Object.fromEntries(
    results.flatMap(({ name, ...figures }) => [
      [`${name}_frames_per_second`, figures.framesPerSecond],
      [`${name}_share_of_frames_shown`, figures.shown],
      [`${name}_freeze_seconds_a_minute`, figures.freezeSeconds],
      [`${name}_key_frame_requests`, figures.keyFrameRequests],
      [`${name}_more_traffic_percent`, figures.moreTraffic * 100],
    ]),
  ),
})
process.exit()

function summarize(counts: PictureCounts, line: 'viewerBytes' | 'senderBytes') {
  const { sentFrames, shownFrames, sentBytes, keyFrameRequests } = counts
  return {
    framesPerSecond: sentFrames / seconds,
    shown: shownFrames / sentFrames,
    freezeSeconds: (counts.freezeSeconds * 60) / seconds,
    keyFrameRequests,
    // Compares traffic per byte of video, because the rate of the video varies.
    moreTraffic: counts[line] / sentBytes / (clean[line] / clean.sentBytes) - 1,
  }
}
