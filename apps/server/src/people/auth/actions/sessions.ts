import type { LoginBody, LoginResult } from '@foyer/protocol/auth'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { publishCredentialChange, publishSessionEnd } from '#src/kernel/database/session-events.ts'
import { ApiError, type ErrorCode } from '#src/kernel/errors.ts'
import { networkOf } from '#src/kernel/http/network-of.ts'
import { newId } from '#src/kernel/ids.ts'
import { canonicalAddress } from '#src/kernel/mail/addresses.ts'
import type { TokenClaims } from '#src/kernel/secrets/tokens.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { sweepInBatches } from '#src/kernel/sweeping.ts'
import { isLocked } from '#src/operating/operators/queries.ts'
import { findPendingLogin } from '#src/people/registration/queries.ts'
import { findCurrentUser } from '#src/people/users/queries.ts'
import type { AuthClient } from '../client.ts'
import type { AuthDeps } from '../deps.ts'
import { noteLogin } from '../devices/actions.ts'
import {
  advanceSession,
  deleteExpiredSessions,
  deleteReusedSession,
  deleteSession,
  deleteSurplusSessions,
  findLoginAccount,
  findUnusedRotation,
  hasSession,
  insertSession,
  type NewSession,
  type Opener,
  type SessionState,
} from '../queries.ts'
import { LOGIN_REFUSALS, withCode } from '../second-factors/proof.ts'
import { markConfirmed } from '../second-factors/queries.ts'
import type { OwnSession } from '../session-of.ts'
import { loginResultOf } from '../session-tokens.ts'

export interface LoginClient extends AuthClient {
  sessionToken: string | undefined
}

/** An identity that the person links to the account while they log in. */
export interface Linking {
  opener: Opener
  link(transaction: Transaction, userId: string): Promise<void>
}

/**
 * Opens a session by email address or username, a password, and a code if the account has a second factor.
 * @param client with its current session token, if any
 * @throws ApiError 401 for a wrong address or password, which take the same time, and for a missing or wrong code; 429
 * once the limit of attempts is reached; 403 with the right password of an account that is locked or not approved yet
 */
export async function logIn(
  deps: AuthDeps,
  body: LoginBody,
  client: LoginClient,
  linking?: Linking,
): Promise<LoginResult> {
  const { database, passwords, attempts } = deps
  const { sessionToken, ...authClient } = client
  const login = canonicalAddress(body.email)
  // Both look-ups always run: the time of a second one would reveal whether there is an account.
  const [account, applied] = await Promise.all([
    findLoginAccount(database, login),
    findPendingLogin(database, login),
  ])
  const pending = account === undefined ? applied : undefined
  const knownId = account && (await findOwnSession(deps, account.id, sessionToken))
  // Without a session of this account, attempts are counted by the typed text, even if the account exists: a shared count
  // would reveal that two spellings belong to one account.
  const isAllowed = knownId ? attempts.take('knownLogin', knownId) : attempts.take('login', login)
  if (!(await isAllowed)) throw new ApiError('too_many_failed_logins')
  const hash = (account ?? pending)?.password_hash ?? null
  const matches = await passwords.verify(body.password, hash, networkOf(client.address))
  // A correct password does not count as a failure, even without a session to open.
  if (matches) await forgetFailures(attempts, [login, account?.email, account?.username])
  if (pending !== undefined && matches) throw new ApiError('approval_pending')
  if (account === undefined || !matches) throw new ApiError('invalid_login')
  const { id: userId, password_hash: passwordHash } = account
  const given = { code: body.code, refusals: LOGIN_REFUSALS }
  const session = await withCode(deps, userId, given, (spend) =>
    database.transaction(async (transaction) => {
      const identity = linking?.opener
      const session = { id: newId(), userId, passwordHash, identity, ...authClient }
      const opened = await openSession(transaction, session)
      if (opened === undefined) throw await refusalOf(transaction, userId, 'invalid_login')
      // The second factor is locked after the user, which is the usual order.
      if (await spend(transaction)) await markConfirmed(transaction, opened.id)
      await noteLogin(transaction, deps, { userId, client: authClient, isKnown: knownId !== undefined })
      await linking?.link(transaction, userId)
      return opened
    }),
  )
  if (knownId !== undefined) await attempts.clear('knownLogin', knownId)
  return handOut(deps, session)
}

async function forgetFailures(
  attempts: AuthDeps['attempts'],
  spellings: readonly (string | null | undefined)[],
): Promise<void> {
  for (const spelling of new Set(spellings)) if (spelling) await attempts.clear('login', spelling)
}

/**
 * Returns the id of the token's session if it belongs to this user and is still valid. The client's attempts are then counted
 * separately, so that strangers' guesses do not lock it out.
 */
async function findOwnSession(
  { database, signer }: AuthDeps,
  userId: string,
  sessionToken = '',
): Promise<string | undefined> {
  const claims = signer.verify(sessionToken, 'session', Date.now())
  if (claims?.userId !== userId) return undefined
  return (await hasSession(database, claims)) ? claims.sessionId : undefined
}

export interface GivenRefresh {
  refreshToken: string
  sessionToken: string | undefined
  address: string
  /** True if the previous refresh token may be used again: see `findUnusedRotation`. */
  mayRepeat: boolean
}

/**
 * Returns new tokens for a refresh token and the session token of the same session. With `mayRepeat`, repeats a refresh
 * whose answer was lost.
 * @throws ApiError 401 for invalid tokens. A refresh token that is used again counts as stolen, so its session ends
 */
export async function refreshSession(deps: AuthDeps, given: GivenRefresh): Promise<LoginResult> {
  const claims = readClaims(deps, given)
  if (claims === undefined) throw new ApiError('authentication_required')
  const refresh = { ...claims, address: given.address }
  const session = await deps.database.transaction(async (transaction) => {
    const advanced = await advanceSession(transaction, refresh)
    if (advanced !== undefined) publishCredentialChange(transaction, claims.userId)
    return advanced ?? (given.mayRepeat ? findUnusedRotation(transaction, claims) : undefined)
  })
  if (session === undefined) return refuseRefresh(deps, claims)
  return handOut(deps, session)
}

/** Ends the caller's own session. */
export async function logOut({ database }: AuthDeps, { userId, sessionId }: OwnSession): Promise<void> {
  await database.transaction(async (transaction) => {
    await deleteSession(transaction, userId, sessionId)
    publishSessionEnd(transaction, userId, [sessionId])
  })
}

/** @throws ApiError 404 for a session of another user */
export async function endSession({ database }: AuthDeps, userId: string, sessionId: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const ended = await deleteSession(transaction, userId, sessionId)
    if (!ended) throw new ApiError('unknown_session')
    publishSessionEnd(transaction, userId, [sessionId])
  })
}

/** Sessions per batch: each needs an event, which takes longer than its row. */
const EXPIRED_BATCH = 500

/** Ends expired sessions, and with them their connections, voice and pushes. */
export async function sweepSessions(database: Database): Promise<void> {
  const endBatch = (limit: number) =>
    database.transaction(async (transaction) => {
      const expired = await deleteExpiredSessions(transaction, limit)
      for (const [userId, sessions] of Map.groupBy(expired, (session) => session.user_id)) {
        const ids = sessions.map(({ id }) => id)
        publishSessionEnd(transaction, userId, ids)
      }
      return expired
    })
  await sweepInBatches(endBatch, EXPIRED_BATCH)
}

/**
 * Opens a session, and ends the least recently used sessions above the limit.
 * @returns undefined for an account that is locked or deleted, or whose password has changed
 */
export async function openSession(
  transaction: Transaction,
  session: NewSession,
): Promise<SessionState | undefined> {
  const opened = await insertSession(transaction, session)
  if (opened === undefined) return undefined
  const endedIds = await deleteSurplusSessions(transaction, session)
  publishSessionEnd(transaction, session.userId, endedIds)
  return opened
}

function readClaims({ signer }: AuthDeps, given: GivenRefresh): TokenClaims | undefined {
  const now = Date.now()
  const refresh = signer.verify(given.refreshToken, 'refresh', now)
  const session = signer.verify(given.sessionToken ?? '', 'session', now)
  return refresh?.sessionId === session?.sessionId ? refresh : undefined
}

async function refuseRefresh({ database }: AuthDeps, claims: TokenClaims): Promise<never> {
  await database.transaction(async (transaction) => {
    const ended = await deleteReusedSession(transaction, claims)
    if (ended) publishSessionEnd(transaction, claims.userId, [claims.sessionId])
  })
  throw await refusalOf(database, claims.userId, 'authentication_required')
}

/** Returns the error for a refused session: `account_locked` if operators locked the account, otherwise the given code. */
export async function refusalOf(
  database: Queryable,
  userId: string,
  otherwise: ErrorCode,
): Promise<ApiError> {
  return new ApiError((await isLocked(database, userId)) ? 'account_locked' : otherwise)
}

/** Returns the tokens of a session. */
export async function handOut({ database, signer }: AuthDeps, session: SessionState): Promise<LoginResult> {
  const user = await findCurrentUser(database, session.user_id)
  if (user === undefined) throw new ApiError('authentication_required')
  return loginResultOf(signer, user, session)
}
