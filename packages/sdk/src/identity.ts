import type { Identify } from '@foyer/protocol/gateway'
import type { Credential } from './rest.ts'

/**
 * Formats the credential for a frame, which has no header for its scheme: a bot's token has a prefix, and a person's
 * token comes with the session token.
 */
export function formatIdentity({ scheme, token, sessionToken }: Credential): Identify {
  if (scheme === 'Bot') return { token: `Bot ${token}` }
  return sessionToken === undefined ? { token } : { token, session_token: sessionToken }
}
