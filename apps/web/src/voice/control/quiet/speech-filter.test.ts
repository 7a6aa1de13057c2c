import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { before, describe, test } from 'node:test'
import { speechBand } from '../../../../test/speech/filters.ts'
import { levelOf, type Span, speechInNoise } from '../../../../test/speech/speech-in-noise.ts'
import { FRAME_SAMPLES } from './frame-bridge.ts'
import { SpeechFilter } from './speech-filter.ts'

/** Samples that a browser passes to a worklet at once. */
const BLOCK = 128
/** The filter is two frames late: one to fill a frame, and one that RNNoise looks ahead. */
const DELAY = 2 * FRAME_SAMPLES

const library = createRequire(import.meta.url).resolve('@sapphi-red/web-noise-suppressor/rnnoise_simd.wasm')

describe('the filter of the strong noise suppression', () => {
  let module: WebAssembly.Module
  before(async () => {
    module = await WebAssembly.compile(await readFile(library))
  })

  /** Returns the filtered sound without the delay, and the share of blocks in the spans that counted as speech. */
  function filter(samples: Float32Array) {
    const filter = new SpeechFilter(module)
    const filtered = new Float32Array(samples.length)
    const speech: boolean[] = []
    for (let at = 0; at + BLOCK <= samples.length; at += BLOCK) {
      filter.pass(samples.subarray(at, at + BLOCK), filtered.subarray(at, at + BLOCK))
      speech.push(filter.isSpeech)
    }
    const share = (spans: readonly Span[]) => {
      const blocks = spans.flatMap(({ from, to }) =>
        speech.slice(Math.ceil(from / BLOCK), Math.floor(to / BLOCK)),
      )
      return blocks.filter(Boolean).length / blocks.length
    }
    return { filtered: filtered.subarray(DELAY), share }
  }

  test('QUIET-2: noise in pauses loses at least 15 dB, and the band of speech changes by at most 2 dB', () => {
    const { speech, noisy, voiced, pauses } = speechInNoise()
    const { filtered } = filter(noisy)
    const quieter = levelOf(noisy, pauses) - levelOf(filtered, pauses)
    assert.ok(quieter >= 15, `pauses are ${quieter.toFixed(1)} dB quieter`)
    const [said, kept] = [levelOf(speechBand(speech), voiced), levelOf(speechBand(filtered), voiced)]
    assert.ok(Math.abs(kept - said) <= 2, `speech went from ${said.toFixed(1)} to ${kept.toFixed(1)} dB`)
  })

  test('QUIET-3: the vowels count as speech, and noise does not', () => {
    const { noisy, voiced, pauses } = speechInNoise()
    const { share } = filter(noisy)
    assert.ok(share(voiced) > 0.9, `${share(voiced)} of the vowels`)
    assert.equal(share(pauses), 0)
  })

  test('QUIET-2: silence stays silent, and a full scale of noise does not overflow', () => {
    const silence = filter(new Float32Array(10 * BLOCK)).filtered
    assert.ok(silence.every((sample) => sample === 0))
    const loud = filter(Float32Array.from({ length: 400 * BLOCK }, (_, at) => (at % 7 < 3 ? 1 : -1))).filtered
    assert.ok(loud.every((sample) => Number.isFinite(sample) && Math.abs(sample) <= 2))
  })
})
