import type { LoginResult } from '@foyer/protocol/auth'
import { ACCESS_TOKEN_SECONDS } from '@foyer/protocol/limits'
import type { CurrentUser } from '@foyer/protocol/users'
import type { TokenSigner } from '#src/kernel/secrets/tokens.ts'
import type { SessionState } from './queries.ts'

/**
 * Signs the three tokens of a session's current generation. None of them outlives the session, and the access token
 * usually expires much earlier.
 */
export function loginResultOf(signer: TokenSigner, user: CurrentUser, session: SessionState): LoginResult {
  const sessionExpiresAt = Date.parse(session.expires_at)
  const accessExpiresAt = Math.min(Date.now() + ACCESS_TOKEN_SECONDS * 1000, sessionExpiresAt)
  const claims = { userId: session.user_id, sessionId: session.id, generation: session.generation }
  return {
    user,
    access_token: signer.sign({ ...claims, kind: 'access', expiresAt: accessExpiresAt }),
    refresh_token: signer.sign({ ...claims, kind: 'refresh', expiresAt: sessionExpiresAt }),
    session_token: signer.sign({ ...claims, kind: 'session', expiresAt: sessionExpiresAt }),
    expires_at: new Date(accessExpiresAt).toISOString(),
    session_expires_at: session.expires_at,
  }
}
