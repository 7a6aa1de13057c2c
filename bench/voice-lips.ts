// Measures how far apart a voice and its camera are played when the audio is delayed on its way. The sender's page flashes and
// beeps, and two other pages report when they see and hear it: one synchronizes voice and camera as one stream, the other does not.

import { launchBrowser } from '../e2e/browser.ts'
import { startProgram } from '../e2e/program.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { makeDataDir } from './server/foyer.ts'
import { measureLips } from './voice/lips.ts'

/** Maximum delay between video and audio. People notice a longer one. */
const MAX_APART_MS = 80

const options = readOptions({ delay: 300, seconds: 25 }, { seconds: 0 })
const { delay, seconds } = options.numbers
const dataDir = await makeDataDir()
const program = await startProgram({ dataDir: dataDir.path })
const browser = await launchBrowser({ microphone: true })
const { pairedMs, singleMs } = await measureLips(program, browser, { delayMs: delay, seconds }).finally(
  async () => {
    await browser.close()
    await program.stop()
    await dataDir.remove()
  },
)
const isApart = Math.abs(pairedMs) > MAX_APART_MS && !options.isSmoke
report({
  ...options,
  name: 'voice-lips',
  problems: isApart ? [`over ${MAX_APART_MS} ms between a flash and its beep`] : [],
  figures: {
    sound_delayed_by_ms: delay,
    beep_after_flash_paired_ms: pairedMs,
    beep_after_flash_single_ms: singleMs,
  },
})
process.exit()
