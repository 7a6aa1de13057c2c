import { type Deferred, defer } from '../deferred.ts'
import type { VoiceFailure, VoiceStatus, VoiceTarget } from './status.ts'

type Timer = ReturnType<typeof setTimeout>

/** Where the user wants to be, and who waits for it. */
export interface Wish {
  target: VoiceTarget
  readonly done: Deferred<void>
}

export function makeWish(target: VoiceTarget): Wish {
  const done = defer<void>()
  // A caller that only follows the status need not handle it.
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
  /** For the gateway to be ready, or for the time of the next attempt. */
  | { name: 'waiting'; timer: Timer | undefined }
  | { name: 'asking'; nonce: string; timer: Timer }
  | ({ name: 'connecting' } & Session<Driver>)
  | ({ name: 'connected' } & Session<Driver>)
  | { name: 'failed'; reason: VoiceFailure }

/** As it is shown. */
export function phaseOf(name: State<unknown>['name'], wasConnected: boolean): VoiceStatus['phase'] {
  if (name === 'idle' || name === 'failed' || name === 'connected') return name
  if (wasConnected) return 'reconnecting'
  return name === 'connecting' ? 'connecting' : 'joining'
}
