import type { VoiceCheck, VoiceCheckResult } from '@foyer/protocol/voice-check'
import type { CallOptions, Rest } from '../rest.ts'

/** Tests whether audio reaches the server, without joining a call. */
export class VoiceChecks {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Returns the voice engine and its addresses. */
  get(options?: CallOptions): Promise<VoiceCheck> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/voice/check' })
  }

  /**
   * Begins a test with an SDP offer, and returns the answer. Voice works if the connection opens within ten seconds.
   * Ends the caller's previous test.
   */
  begin(sdp: string, options?: CallOptions): Promise<VoiceCheckResult> {
    return this.#rest.request({ ...options, method: 'POST', path: '/api/voice/check', body: { sdp } })
  }
}
