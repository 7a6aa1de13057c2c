import type { VoiceCheck, VoiceCheckResult } from '@foyer/protocol/voice-check'
import type { CallOptions, Rest } from '../rest.ts'

/** Finding out whether voice gets through, without joining anybody. */
export class VoiceChecks {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** By what, and where, voice is reached. */
  get(options?: CallOptions): Promise<VoiceCheck> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/voice/check' })
  }

  /** Answers an offer: where the connection comes to be within ten seconds, voice gets through. Ends the last one. */
  begin(sdp: string, options?: CallOptions): Promise<VoiceCheckResult> {
    return this.#rest.request({ ...options, method: 'POST', path: '/api/voice/check', body: { sdp } })
  }
}
