/** Reads the current level of a stream, from 0 to 1. */
export interface LevelMeter {
  read(): number
  close(): void
}

/** Range of the meter in decibels below full scale. It is full slightly before the maximum. */
const FLOOR_DB = -60
const TOP_DB = -6

export function meterOf(context: AudioContext, source: AudioNode): LevelMeter {
  const analyser = context.createAnalyser()
  analyser.fftSize = 1024
  source.connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  return {
    read: () => {
      analyser.getFloatTimeDomainData(samples)
      return levelOf(samples)
    },
    close: () => source.disconnect(analyser),
  }
}

/** Level of samples between -1 and 1, on a perceptual scale. */
export function levelOf(samples: ArrayLike<number>): number {
  const power = Array.from(samples).reduce((sum, sample) => sum + sample * sample, 0) / samples.length
  const decibels = 10 * Math.log10(Math.max(power, 1e-12))
  return Math.min(1, Math.max(0, (decibels - FLOOR_DB) / (TOP_DB - FLOOR_DB)))
}
