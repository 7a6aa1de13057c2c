import { chosenPair, type Stat } from './stats.ts'

/** The path that media takes to the server. */
export interface MediaRoute {
  /** Undefined until the browser names it. */
  readonly protocol: 'udp' | 'tcp' | undefined
  /** True if media passes through a TURN server. */
  readonly isRelayed: boolean
  /** Round-trip time to the server. */
  readonly rttMs: number | undefined
}

export function routeOf(stats: ReadonlyMap<string, Stat>): MediaRoute {
  const pair = chosenPair(stats)
  const local = stats.get(pair?.localCandidateId ?? '')
  const protocol = local?.protocol?.toLowerCase()
  return {
    protocol: protocol === 'udp' || protocol === 'tcp' ? protocol : undefined,
    isRelayed: local?.candidateType === 'relay',
    rttMs: pair?.currentRoundTripTime === undefined ? undefined : pair.currentRoundTripTime * 1000,
  }
}
