/** The fields of a getStats entry that we use. A browser omits fields that it does not measure. */
export interface Stat {
  id?: string
  kind?: string
  timestamp?: number
  type?: string
  state?: string
  nominated?: boolean
  currentRoundTripTime?: number
  packetsReceived?: number
  packetsLost?: number
  fractionLost?: number
  jitter?: number
  selectedCandidatePairId?: string
  localCandidateId?: string
  protocol?: string
  candidateType?: string
  trackIdentifier?: string
  mediaSourceId?: string
  rid?: string
  active?: boolean
  bytesReceived?: number
  bytesSent?: number
  frameWidth?: number
  frameHeight?: number
  framesPerSecond?: number
  jitterBufferDelay?: number
  jitterBufferEmittedCount?: number
  qualityLimitationReason?: string
  codecId?: string
  mimeType?: string
}

/** The result of getStats. */
export type StatsReport = Iterable<readonly [string, Stat]>

/**
 * Returns the ICE candidate pair that media takes: the selected pair, or else the nominated pair, because Firefox names
 * no selected pair. Chromium uses the selected pair even before it is nominated.
 */
export function chosenPair(stats: ReadonlyMap<string, Stat>): Stat | undefined {
  const all = [...stats.values()]
  const named = all.find(({ type }) => type === 'transport')?.selectedCandidatePairId
  const nominated = all.find(({ type, state, nominated: is }) => {
    return type === 'candidate-pair' && state === 'succeeded' && is === true
  })
  return stats.get(named ?? '') ?? nominated
}
