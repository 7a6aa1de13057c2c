import type { Identify } from '@foyer/protocol/gateway'
import type { Credential } from './rest.ts'

/** A frame has no header to name the scheme in: a bot's token says what it is, a person's has the session's beside it. */
export function formatIdentity({ scheme, token, sessionToken }: Credential): Identify {
  if (scheme === 'Bot') return { token: `Bot ${token}` }
  return sessionToken === undefined ? { token } : { token, session_token: sessionToken }
}
