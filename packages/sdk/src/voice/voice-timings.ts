import type { Backoff } from '../delay.ts'

/** Timeouts of voice. The backoff applies between attempts to join. */
export interface VoiceTimings extends Backoff {
  /** Time for the server to grant a join. */
  grantTimeoutMs: number
  /** Time for media to start flowing after the grant. */
  mediaTimeoutMs: number
  /** Consecutive attempts without media after which the network counts as blocking it. */
  mediaAttempts: number
  /** Time of flowing media after which a connection counts as stable. */
  steadyMs: number
  /** Time without media before reconnecting. Short interruptions usually recover by themselves. */
  interruptionMs: number
  /** Time to wait for the signal with the reason, after other signs that the session has ended. */
  reasonTimeoutMs: number
  /** Minimum time between mute and deafen changes. The server accepts ten voice commands in ten seconds. */
  selfIntervalMs: number
  /** Minimum time between watch lists. The server accepts 20 in ten seconds, and 120 commands of any kind in a minute. */
  watchIntervalMs: number
}

/** Default timings. A lost process is replaced within a second or two; all attempts take up to a minute. */
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
  watchIntervalMs: 800,
}
