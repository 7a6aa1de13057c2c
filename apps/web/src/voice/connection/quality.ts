import type { VoiceQuality } from '@foyer/sdk/voice/status'
import { lazily } from '#src/language/formats.ts'
import { locale, t } from '#src/language/texts.ts'

export type QualityLevel = 'unknown' | 'good' | 'fair' | 'poor'

/** Thresholds above which users notice the delay (they talk over each other) or the loss (syllables are cut off). */
const FAIR = { rttMs: 150, lossPercent: 2 }
const POOR = { rttMs: 350, lossPercent: 8 }

export function qualityLevel(quality: VoiceQuality | undefined): QualityLevel {
  if (quality === undefined) return 'unknown'
  if (isBeyond(quality, POOR)) return 'poor'
  return isBeyond(quality, FAIR) ? 'fair' : 'good'
}

const whole = lazily(() => new Intl.NumberFormat(locale(), { maximumFractionDigits: 0 }))
const tenths = lazily(
  () => new Intl.NumberFormat(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
)

/** The measured figures, each with its label. */
export function qualityFacts({ rttMs, lossPercent, jitterMs }: VoiceQuality): string[] {
  return [
    ...(rttMs === undefined ? [] : [t('Ping: {ms} ms', { ms: Math.round(rttMs) })]),
    t('Packet loss: {percent}%', {
      percent: (lossPercent < 10 ? tenths() : whole()).format(lossPercent),
    }),
    ...(jitterMs === undefined ? [] : [t('Jitter: {ms} ms', { ms: Math.round(jitterMs) })]),
  ]
}

function isBeyond({ rttMs = 0, lossPercent }: VoiceQuality, limit: typeof FAIR): boolean {
  return rttMs > limit.rttMs || lossPercent > limit.lossPercent
}
