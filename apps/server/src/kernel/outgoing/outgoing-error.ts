export type OutgoingFault = 'blocked' | 'unreachable' | 'timeout' | 'too_large' | 'too_many_redirects'

const WORDS: Record<OutgoingFault, string> = {
  blocked: 'is an address that the server may not connect to',
  unreachable: 'could not be reached',
  timeout: 'did not answer in time',
  too_large: 'sent an answer that is too large',
  too_many_redirects: 'redirects too often',
}

/**
 * A request that was not sent, or not answered. The message only names the host, because the rest of the address may
 * contain secrets.
 */
export class OutgoingError extends Error {
  readonly reason: OutgoingFault

  constructor(reason: OutgoingFault, host: string, options?: ErrorOptions) {
    super(`${host} ${WORDS[reason]}`, options)
    this.reason = reason
  }
}
