// Measures the strong noise suppression of the web client: the CPU time for a second of audio, and the levels of a synthetic voice
// beside a fan. Runs the code of its worklet in Node, which has the same JavaScript engine as Chromium.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { SpeechFilter } from '../apps/web/src/voice/control/quiet/speech-filter.ts'
import { speechBand } from '../apps/web/test/speech/filters.ts'
import { levelOf, SAMPLE_RATE, speechInNoise } from '../apps/web/test/speech/speech-in-noise.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'

const MAX_CPU_PERCENT = 4
const MIN_QUIETER_DB = 15
const MAX_SPEECH_CHANGE_DB = 2
/** Number of samples that a browser passes to a worklet at once. */
const BLOCK = 128
/** Delay of the filter in samples: two frames of 480 samples. */
const DELAY = 960

const options = readOptions({ phrases: 20, rounds: 5 }, { phrases: 1, rounds: 1 })
const web = createRequire(new URL('../apps/web/package.json', import.meta.url))
const library = readFileSync(web.resolve('@sapphi-red/web-noise-suppressor/rnnoise_simd.wasm'))
const compiled = new WebAssembly.Module(library)
const { speech, noisy, voiced, pauses } = speechInNoise({ phrases: options.numbers.phrases })

const { filtered, cpuPercent } = measure(options.numbers.rounds)
const pausesDb = levelOf(noisy, pauses) - levelOf(filtered, pauses)
const speechDb = levelOf(speechBand(filtered), voiced) - levelOf(speechBand(speech), voiced)
const misses = {
  [`it takes over ${MAX_CPU_PERCENT} % of a core`]: cpuPercent > MAX_CPU_PERCENT,
  [`pauses are less than ${MIN_QUIETER_DB} dB quieter`]: pausesDb < MIN_QUIETER_DB,
  [`the band of speech changes by over ${MAX_SPEECH_CHANGE_DB} dB`]:
    Math.abs(speechDb) > MAX_SPEECH_CHANGE_DB,
}
report({
  ...options,
  name: 'noise-suppression',
  problems: Object.entries(misses).flatMap(([what, isSo]) => (isSo && !options.isSmoke ? [what] : [])),
  figures: {
    cpu_percent_of_a_core: cpuPercent,
    cpu_ms_per_second_of_sound: cpuPercent * 10,
    pauses_quieter_by_db: pausesDb,
    speech_band_changed_by_db: speechDb,
    delay_ms: (1000 * DELAY) / SAMPLE_RATE,
    library_gzipped_bytes: gzipSync(library, { level: 9 }).length,
  },
})

/** Filters the audio several times. The first round warms up and is not measured. */
function measure(rounds: number) {
  let filtered = filter()
  const before = process.cpuUsage()
  for (let round = 0; round < rounds; round += 1) filtered = filter()
  const { user, system } = process.cpuUsage(before)
  const seconds = (rounds * noisy.length) / SAMPLE_RATE
  return { filtered: filtered.subarray(DELAY), cpuPercent: (user + system) / 1e4 / seconds }
}

function filter(): Float32Array {
  const running = new SpeechFilter(compiled)
  const output = new Float32Array(noisy.length)
  for (let at = 0; at + BLOCK <= noisy.length; at += BLOCK)
    running.pass(noisy.subarray(at, at + BLOCK), output.subarray(at, at + BLOCK))
  return output
}
