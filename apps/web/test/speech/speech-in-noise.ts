import { formant, passing, runBiquad } from './filters.ts'
import { seededRandom } from './random.ts'

export const SAMPLE_RATE = 48_000

/** A part of the sound, in samples. */
export interface Span {
  readonly from: number
  readonly to: number
}

export interface SpeechInNoise {
  readonly speech: Float32Array
  /** The speech with the noise of a fan. */
  readonly noisy: Float32Array
  /** The vowels. */
  readonly voiced: readonly Span[]
  /** The middles of the pauses between the phrases. */
  readonly pauses: readonly Span[]
}

/** Formants of vowels in hertz, as measured for adults. */
const VOWELS = [
  [730, 1090, 2440],
  [270, 2290, 3010],
  [530, 1840, 2480],
  [570, 840, 2410],
  [300, 870, 2240],
] as const
const BANDWIDTHS = [80, 100, 140]
/** Level of the vowels in dBFS: decibels relative to full scale. */
const SPEECH_DB = -24
const SYLLABLE_SECONDS = 0.22
const SYLLABLES = 7
const PAUSE_SECONDS = 1.5
/** Seconds left out at both ends of a pause: the noise filter treats the first 0.4 s after speech as speech. */
const PAUSE_MARGINS = { begin: 0.6, end: 0.1 }

/**
 * Synthesizes phrases of vowels and hisses, as a voice would speak them, in the noise of a fan.
 * @param noiseDb level of the noise in dBFS
 */
export function speechInNoise({ phrases = 4, noiseDb = -44 } = {}): SpeechInNoise {
  const random = seededRandom(25)
  const phraseSeconds = PAUSE_SECONDS + SYLLABLES * SYLLABLE_SECONDS
  const speech = new Float32Array(Math.round((phrases * phraseSeconds + PAUSE_SECONDS) * SAMPLE_RATE))
  const voiced: Span[] = []
  for (let phrase = 0; phrase < phrases; phrase += 1) {
    const from = Math.round((phrase * phraseSeconds + PAUSE_SECONDS) * SAMPLE_RATE)
    voiced.push(...speak(speech, from, random))
  }
  scaleTo(speech, voiced, SPEECH_DB)
  const noise = fan(speech.length, random)
  scaleTo(noise, [{ from: 0, to: noise.length }], noiseDb)
  return {
    speech,
    noisy: speech.map((sample, index) => sample + (noise[index] ?? 0)),
    voiced,
    pauses: Array.from({ length: phrases }, (_, phrase) =>
      pauseAfter(phrase * phraseSeconds + phraseSeconds),
    ),
  }
}

/** Returns the root mean square of the spans in dBFS. */
export function levelOf(samples: Float32Array, spans: readonly Span[]): number {
  let power = 0
  let count = 0
  for (const { from, to } of spans) {
    for (const sample of samples.subarray(from, to)) power += sample * sample
    count += to - from
  }
  return 10 * Math.log10(Math.max(power / count, 1e-12))
}

/** Returns the sound as a WAV file with 16-bit samples. */
export function waveFile(samples: Float32Array): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.length * 2, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(SAMPLE_RATE, 24)
  header.writeUInt32LE(SAMPLE_RATE * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.length * 2, 40)
  const body = Int16Array.from(samples, (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32_767))
  return Buffer.concat([header, Buffer.from(body.buffer)])
}

function pauseAfter(endSeconds: number): Span {
  return {
    from: Math.round((endSeconds + PAUSE_MARGINS.begin) * SAMPLE_RATE),
    to: Math.round((endSeconds + PAUSE_SECONDS - PAUSE_MARGINS.end) * SAMPLE_RATE),
  }
}

/** Adds a phrase, whose pitch falls towards its end. @returns its vowels */
function speak(speech: Float32Array, from: number, random: () => number): Span[] {
  const length = Math.round(SYLLABLE_SECONDS * SAMPLE_RATE)
  return Array.from({ length: SYLLABLES }, (_, index) => {
    const begin = from + index * length
    const vowel = VOWELS[Math.floor(random() * VOWELS.length)] ?? VOWELS[0]
    const hiss = Math.round(0.05 * SAMPLE_RATE)
    if (index % 2 === 1) addHiss(speech, { from: begin, to: begin + hiss }, random)
    const span = { from: begin + hiss, to: begin + length }
    addVowel(speech, span, { vowel, pitch: 150 - 6 * index + 12 * random(), random })
    return span
  })
}

interface Voice {
  readonly vowel: readonly number[]
  readonly pitch: number
  readonly random: () => number
}

/** Adds a vowel: pulses of the vocal cords with the small irregularities of a voice, filtered by the formants. */
function addVowel(speech: Float32Array, { from, to }: Span, { vowel, pitch, random }: Voice): void {
  const tract = vowel.map((hertz, index) => runBiquad(formant(hertz, BANDWIDTHS[index] ?? 140)))
  let phase = 0
  let period = SAMPLE_RATE / pitch
  let before = 0
  for (let at = from; at < to; at += 1) {
    phase += 1 / period
    if (phase >= 1) {
      phase -= 1
      const glide = 1 + 0.08 * Math.sin((Math.PI * (at - from)) / (to - from))
      period = (SAMPLE_RATE / (pitch * glide)) * (1 + 0.01 * (random() - 0.5))
    }
    const flow = phase < 0.6 ? Math.sin((Math.PI * phase) / 0.6) ** 2 * (1 + 0.02 * random()) : 0
    const sound = tract.reduce((value, step) => step(value), flow - before)
    before = flow
    speech[at] = sound * envelope(at - from, to - at)
  }
}

function addHiss(speech: Float32Array, { from, to }: Span, random: () => number): void {
  const high = runBiquad(passing(4000, 0.7, 'above'))
  for (let at = from; at < to; at += 1)
    speech[at] = 0.006 * high(2 * random() - 1) * envelope(at - from, to - at)
}

/** Rises and falls within 25 ms. */
function envelope(since: number, until: number): number {
  return Math.min(1, since / 1200, until / 1200)
}

/** Noise that falls by 6 dB an octave above 500 Hz, with a hum and a hiss. */
function fan(length: number, random: () => number): Float32Array {
  const low = runBiquad(passing(500, 0.5, 'below'))
  return Float32Array.from({ length }, (_, at) => {
    const hum = 0.02 * Math.sin((2 * Math.PI * 120 * at) / SAMPLE_RATE)
    const white = 2 * random() - 1
    return low(white) + 0.08 * white + hum
  })
}

function scaleTo(samples: Float32Array, spans: readonly Span[], decibels: number): void {
  const gain = 10 ** ((decibels - levelOf(samples, spans)) / 20)
  for (const [index, sample] of samples.entries()) samples[index] = sample * gain
}
