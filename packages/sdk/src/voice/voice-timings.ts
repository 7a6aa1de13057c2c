import type { Backoff } from '../delay.ts'

/** How patient voice is. The backoff is between attempts to be in a place. */
export interface VoiceTimings extends Backoff {
  /** How long the server may take to grant what was asked for. */
  grantTimeoutMs: number
  /** How long media may take to flow, once it is granted. */
  mediaTimeoutMs: number
  /** How often in a row it may not do so, until the network is taken to let none through. */
  mediaAttempts: number
  /** Media that flowed so long came up well. */
  steadyMs: number
  /** How long media may stop: it mends itself often, and quickly; what takes longer is quicker begun anew. */
  interruptionMs: number
  /** How far the signal that a session ended, which has the reason, may be behind whatever else shows it. */
  reasonTimeoutMs: number
  /** At the shortest between two changes of mute and deaf: the server takes ten commands of voice in ten seconds. */
  selfIntervalMs: number
}

/** A lost process is replaced within a second or two; all attempts take about half a minute. */
export const usualVoiceTimings: VoiceTimings = {
  baseDelayMs: 400,
  maxDelayMs: 8_000,
  grantTimeoutMs: 10_000,
  mediaTimeoutMs: 10_000,
  mediaAttempts: 2,
  steadyMs: 10_000,
  interruptionMs: 3_000,
  reasonTimeoutMs: 1_000,
  selfIntervalMs: 2_000,
}
