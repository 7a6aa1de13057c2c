/** Coefficients of a second-order filter: `b` for the last inputs, `a` for the last outputs. */
interface Biquad {
  readonly b: readonly [number, number, number]
  readonly a: readonly [number, number]
}

const RATE = 48_000
const BUTTERWORTH_Q = [0.541, 1.307]

/** Returns a function that filters one sample after another. */
export function runBiquad({ b, a }: Biquad): (sample: number) => number {
  let [x1, x2, y1, y2] = [0, 0, 0, 0]
  return (sample) => {
    const result = b[0] * sample + b[1] * x1 + b[2] * x2 - a[0] * y1 - a[1] * y2
    x2 = x1
    x1 = sample
    y2 = y1
    y1 = result
    return result
  }
}

/** A resonance of the vocal tract, with a gain of 1 at 0 Hz. */
export function formant(hertz: number, bandwidth: number): Biquad {
  const radius = Math.exp((-Math.PI * bandwidth) / RATE)
  const a1 = -2 * radius * Math.cos((2 * Math.PI * hertz) / RATE)
  const a2 = radius * radius
  return { b: [1 + a1 + a2, 0, 0], a: [a1, a2] }
}

/** Keeps 300 to 3400 Hz, the band of telephones, with slopes of 24 dB an octave. */
export function speechBand(samples: Float32Array): Float32Array {
  const steps = BUTTERWORTH_Q.flatMap((q) => [
    runBiquad(passing(300, q, 'above')),
    runBiquad(passing(3400, q, 'below')),
  ])
  return samples.map((sample) => steps.reduce((value, step) => step(value), sample))
}

/** Keeps frequencies above or below a limit. Source: “Audio EQ Cookbook” by Robert Bristow-Johnson. */
export function passing(hertz: number, q: number, side: 'above' | 'below'): Biquad {
  const angle = (2 * Math.PI * hertz) / RATE
  const alpha = Math.sin(angle) / (2 * q)
  const cosine = Math.cos(angle)
  const a0 = 1 + alpha
  const edge = side === 'above' ? (1 + cosine) / 2 : (1 - cosine) / 2
  const middle = side === 'above' ? -(1 + cosine) : 1 - cosine
  return { b: [edge / a0, middle / a0, edge / a0], a: [(-2 * cosine) / a0, (1 - alpha) / a0] }
}
