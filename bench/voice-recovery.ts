// Measures how long a call is without audio and video after its media process is killed: two users in Chromium with microphones
// and cameras, from the kill until the page has received audio and decoded a frame over its next connection.

import { setTimeout as sleep } from 'node:timers/promises'
import { launchBrowser } from '../e2e/browser.ts'
import { killMedia } from '../e2e/media-process.ts'
import { startProgram } from '../e2e/program.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { makeDataDir } from './server/foyer.ts'
import { figuresOf, type Recovery, RecoveryScene, recoveryLimits } from './voice/recovery.ts'

// Pauses over 30 s, because a process that ends sooner after its start counts as crashing, and its successor starts later.
const options = readOptions({ kills: 5, pause: 31 }, { kills: 1, pause: 0 })
const { kills, pause } = options.numbers
const dataDir = await makeDataDir()
const program = await startProgram({ dataDir: dataDir.path })
const browser = await launchBrowser({ microphone: true })
const recovered: Recovery[] = []
try {
  const scene = await RecoveryScene.open(program, browser)
  for (let count = 0; count < kills; count += 1) {
    await sleep(pause * 1000)
    recovered.push(...(await scene.interrupt(() => killMedia(program.pid))))
  }
} finally {
  await browser.close()
  await program.stop()
  await dataDir.remove()
}
const figures = figuresOf(recovered)
const limits: [isBroken: boolean, problem: string][] = [
  [figures.sound_back_max_ms > recoveryLimits.soundMs, `over ${recoveryLimits.soundMs} ms without sound`],
  [
    figures.pictures_back_max_ms > recoveryLimits.pictureMs,
    `over ${recoveryLimits.pictureMs} ms without pictures`,
  ],
]
report({
  ...options,
  name: 'voice-recovery',
  problems: limits.flatMap(([isBroken, problem]) => (isBroken && !options.isSmoke ? [problem] : [])),
  figures: { kills, ...figures },
})
process.exit()
