import type { LoginResult } from '@foyer/protocol/auth'
import type { Tokens } from '@foyer/sdk/rest'

const HOUR_MS = 60 * 60 * 1000

/** Returns the tokens of a session's nth refresh. */
export function makeTokens(n: number, expiresInMs: number = HOUR_MS): Required<Tokens> {
  return {
    access_token: `access-${n}`,
    refresh_token: `refresh-${n}`,
    session_token: `session-${n}`,
    expires_at: new Date(Date.now() + expiresInMs).toISOString(),
    session_expires_at: new Date(Date.now() + 30 * 24 * HOUR_MS).toISOString(),
  }
}

export function makeLoginResult(n: number, expiresInMs?: number): LoginResult {
  return { ...makeTokens(n, expiresInMs), user: makeUser() }
}

export function makeUser(): LoginResult['user'] {
  return {
    id: '01890000-0000-7000-8000-000000000001',
    username: 'ada',
    alias: null,
    avatar: null,
    banner: null,
    custom: '',
    flags: 0,
    badges: 0,
    is_bot: false,
    email_verified: true,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    deleted_at: null,
    birthdate: null,
    phone: null,
    custom_until: null,
    web_presence: 'name',
  }
}
