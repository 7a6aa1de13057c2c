import { AuthorizationResponseError } from 'openid-client'
import { OutgoingError } from '../outgoing/outgoing-error.ts'

/**
 * `unreachable`: the provider did not answer. `refused`: it did not let the person in. `invalid`: its answer could not be
 * verified. `stale`: the person has not logged in again.
 */
export type ProviderFault = 'unreachable' | 'refused' | 'invalid' | 'stale'

const MAX_DEPTH = 5

/** A login that a provider did not confirm. The message is for the log: it contains no token and no claim. */
export class ProviderError extends Error {
  readonly fault: ProviderFault

  constructor(fault: ProviderFault, message: string) {
    super(message)
    this.fault = fault
  }
}

/** Returns the error of the library without its causes, which quote tokens. */
export function explained(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  const chain = causesOf(error)
  const outgoing = chain.find((cause) => cause instanceof OutgoingError)
  if (outgoing instanceof OutgoingError) {
    const isSilent = outgoing.reason === 'timeout' || outgoing.reason === 'unreachable'
    return new ProviderError(isSilent ? 'unreachable' : 'invalid', outgoing.message)
  }
  if (chain.some(({ name }) => name === 'TimeoutError'))
    return new ProviderError('unreachable', 'the provider did not answer in time')
  if (error instanceof AuthorizationResponseError)
    return new ProviderError('refused', `the provider refused: ${JSON.stringify(error.error).slice(0, 100)}`)
  const messages = chain.map(({ message }) => message.slice(0, 200))
  return new ProviderError('invalid', messages.join(': ') || 'the answer of the provider cannot be used')
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  let current = error
  while (current instanceof Error && causes.length < MAX_DEPTH) {
    causes.push(current)
    current = current.cause
  }
  return causes
}
