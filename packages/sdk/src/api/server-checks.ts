import type { MailTest, PushTest, VoiceTest } from '@foyer/protocol/server-checks'
import type { CallOptions, Rest } from '../rest.ts'

/** Tests of mails, notifications and voice, for operators. */
export class ServerChecks {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Sends a mail to the caller's own address. */
  mail(options?: CallOptions): Promise<MailTest> {
    return this.#rest.request({ ...options, method: 'POST', path: '/api/operator/tests/mail' })
  }

  /** Sends a notification to each of the caller's own devices. */
  push(options?: CallOptions): Promise<PushTest> {
    return this.#rest.request({ ...options, method: 'POST', path: '/api/operator/tests/push' })
  }

  /** Examines voice from the server's machine, as `npm run doctor` does. */
  voice(options?: CallOptions): Promise<VoiceTest> {
    return this.#rest.request({ ...options, method: 'POST', path: '/api/operator/tests/voice' })
  }
}
