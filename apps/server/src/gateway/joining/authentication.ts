import { CloseCode, type Identify } from '@foyer/protocol/gateway'
import { type Caller, type Credentials, isBotToken } from '#src/kernel/secrets/credentials.ts'
import type { SecondFactorRules } from '#src/kernel/secrets/second-factor-rule.ts'
import type { Connection } from '../connections/connection.ts'
import type { ConnectionLimits } from '../connections/connection-limits.ts'
import type { Listeners } from '../listeners/listeners.ts'

export interface AuthenticationDeps {
  credentials: Pick<Credentials, 'authenticate'>
  secondFactorRules: Pick<SecondFactorRules, 'bars'>
  listeners: Listeners
  /** Undefined disables the limits. */
  connectionLimits: ConnectionLimits | undefined
}

/**
 * Authenticates the caller of an IDENTIFY or RESUME, and subscribes the connection to the user's events. Returns
 * undefined if the connection was refused or has closed.
 */
export async function authenticate(
  deps: AuthenticationDeps,
  connection: Connection,
  data: Identify,
): Promise<Caller | undefined> {
  if (connection.state.name !== 'authenticating') return undefined
  const credential = credentialOf(connection, data)
  const caller = await deps.credentials.authenticate(credential, connection.address)
  if (connection.state.name !== 'authenticating') return undefined
  if (caller === undefined) return refuse(connection)
  if (deps.connectionLimits?.enter(caller.user.id) === false)
    return refuse(connection, 'too many connections', CloseCode.TooFastOrTooSlow)
  connection.join(caller)
  deps.listeners.addUser(connection, caller.user.id, sessionOf(caller))
  // The credential is checked again now that SESSION_END would be received: the session may have ended in between.
  const still = await deps.credentials.authenticate(credential, connection.address)
  if (still !== undefined && (await deps.secondFactorRules.bars(still)))
    return refuse(connection, 'a second factor is needed', CloseCode.SecondFactorNeeded)
  return still ?? refuse(connection)
}

export function refuse(
  connection: Connection,
  reason = 'the credential was refused',
  code: number = CloseCode.CredentialRefused,
): undefined {
  connection.close(code, reason)
  return undefined
}

/** Returns the credentials of an IDENTIFY. A person sends an access token and a session token, a bot only its token. */
function credentialOf(connection: Connection, { token, session_token }: Identify) {
  return {
    authorization: `${schemeOf(token)}${token}`,
    sessionToken: session_token ?? connection.sessionToken,
  }
}

/**
 * Returns the authorization scheme to put before a token. A bot's token may already have its scheme, as in the header.
 * Without it, the token begins with the bot's id, which a person's token never does.
 */
function schemeOf(token: string): string {
  if (/^Bot /i.test(token)) return ''
  return isBotToken(token) ? 'Bot ' : 'Bearer '
}

/** Returns the id that ends the caller's connections: the session id, or the user id of a bot, which has no sessions. */
export function sessionOf(caller: Caller): string {
  return caller.kind === 'human' ? caller.sessionId : caller.user.id
}
