import type { CallNumbers, ReceivedNumbers, SentNumbers } from '@foyer/sdk/voice/call-numbers'
import { lazily } from '#src/language/formats.ts'
import { locale, t } from '#src/language/texts.ts'

const tenths = lazily(() => new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }))

/** Describes the path of media to the server. */
export function routeFacts({ protocol, isRelayed, rttMs }: Omit<CallNumbers, 'received' | 'sent'>): string[] {
  return [
    ...(protocol === undefined ? [] : [t('Route: {protocol}', { protocol: protocol.toUpperCase() })]),
    ...(isRelayed ? [t('through a TURN server')] : []),
    ...(rttMs === undefined ? [] : [t('Ping: {ms} ms', { ms: Math.round(rttMs) })]),
  ]
}

export function receivedFacts(numbers: ReceivedNumbers): string[] {
  const { lossPercent, delayMs, layer } = numbers
  return [
    ...pictureFacts(numbers),
    ...(layer === undefined ? [] : [t('Layer {position} of {count}', { ...layer })]),
    t('Packet loss: {percent}%', { percent: tenths().format(lossPercent) }),
    ...(delayMs === undefined ? [] : [t('Delay: {ms} ms', { ms: Math.round(delayMs) })]),
  ]
}

export function sentFacts(numbers: SentNumbers): string[] {
  const { limit } = numbers
  return [
    ...pictureFacts(numbers),
    ...(limit === 'bandwidth' ? [t('limited by the connection')] : []),
    ...(limit === 'cpu' ? [t('limited by this device')] : []),
  ]
}

type Picture = Pick<ReceivedNumbers, 'width' | 'height' | 'codec' | 'framesPerSecond' | 'bitsPerSecond'>

function pictureFacts({ width, height, codec, framesPerSecond, bitsPerSecond }: Picture): string[] {
  // A hidden picture has no size, and a stopped picture has no frame rate.
  const size = width && height ? [`${width} × ${height}`] : []
  return [
    ...size,
    ...(codec === undefined ? [] : [codec === 'H264' ? 'H.264' : codec]),
    t('{count} frames/s', { count: Math.round(framesPerSecond ?? 0) }),
    ...(bitsPerSecond === undefined
      ? []
      : [t('{amount} kbit/s', { amount: Math.round(bitsPerSecond / 1000) })]),
  ]
}
