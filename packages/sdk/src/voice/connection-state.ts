import { type Deferred, defer } from '../deferred.ts'
import type { VoiceFailure, VoiceStatus, VoiceTarget } from './status.ts'

type Timer = ReturnType<typeof setTimeout>

/** The channel that the user wants to be in, and the promise that `join` returned. */
export interface JoinRequest {
  target: VoiceTarget
  readonly done: Deferred<void>
}

export function makeJoinRequest(target: VoiceTarget): JoinRequest {
  const done = defer<void>()
  // Handled here, because a caller that only follows the status ignores the promise.
  done.promise.catch(() => undefined)
  return { target, done }
}

export interface Session<Driver> {
  sessionId: string
  driver: Driver
  timer: Timer
}

export type State<Driver> =
  | { name: 'idle' }
  /** Waits for the gateway to be ready, or for the next attempt. */
  | { name: 'waiting'; timer: Timer | undefined }
  | { name: 'asking'; nonce: string; askedAt: number; timer: Timer }
  | ({ name: 'connecting' } & Session<Driver>)
  | ({ name: 'connected' } & Session<Driver>)
  | { name: 'failed'; reason: VoiceFailure }

/** Derives the phase shown to users. */
export function phaseOf(name: State<unknown>['name'], wasConnected: boolean): VoiceStatus['phase'] {
  if (name === 'idle' || name === 'failed' || name === 'connected') return name
  if (wasConnected) return 'reconnecting'
  return name === 'connecting' ? 'connecting' : 'joining'
}
