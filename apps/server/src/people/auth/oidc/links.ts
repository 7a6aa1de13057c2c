import type { OwnIdentities } from '@foyer/protocol/oidc'
import type { ProofBody } from '@foyer/protocol/second-factors'
import type { Transaction } from '#src/kernel/database/database.ts'
import { publishSessionEnd } from '#src/kernel/database/session-events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Provider } from '#src/kernel/oidc/provider.ts'
import { isLocked } from '#src/operating/operators/queries.ts'
import { findPasswordHash, lockCurrentUser } from '#src/people/users/queries.ts'
import { insertIdentity, refuseTaken } from '../account-queries.ts'
import type { AuthRouteDeps } from '../deps.ts'
import { checkProof } from '../owner-proofs/check.ts'
import { hasSession } from '../queries.ts'
import type { OwnSession } from '../session-of.ts'
import { mailIdentityChange } from './identity-mails.ts'
import { findSessionProvider } from './own-logout.ts'
import { deleteIdentity, deleteSessionsOpenedBy, listIdentities } from './queries.ts'
import { takeSpaceGroups } from './space-groups.ts'

/** Returns the user's linked identities, except those of providers that the server no longer has. */
export async function findOwnIdentities(
  { database, providers }: AuthRouteDeps,
  { userId, sessionId }: OwnSession,
): Promise<OwnIdentities> {
  const identities = await listIdentities(database, userId)
  const opener = await findSessionProvider({ database, providers }, sessionId)
  return {
    has_password: (await findPasswordHash(database, userId)) !== null,
    session_provider: opener === undefined ? null : { id: opener.settings.id, name: opener.settings.name },
    identities: identities.flatMap(({ issuer, name, created_at }) => {
      const settings = providers.of(issuer)?.settings
      if (settings === undefined) return []
      return [{ provider: { id: settings.id, name: settings.name }, name, created_at }]
    }),
  }
}

/**
 * Links an identity to the account whose session began the login, if the session still exists.
 * @throws ApiError 401 without the session, 403 for a locked account, 400 for an identity or a provider that is
 * linked already
 */
export async function linkIdentity(
  { database }: AuthRouteDeps,
  { userId, sessionId }: OwnSession,
  { provider, ...identity }: { provider: Provider; subject: string; name: string | null },
): Promise<void> {
  const { issuer } = provider.settings
  const link = async (transaction: Transaction) => {
    const user = await lockCurrentUser(transaction, userId)
    if (user === undefined || !(await hasSession(transaction, { userId, sessionId })))
      throw new ApiError('authentication_required')
    if (await isLocked(transaction, userId)) throw new ApiError('account_locked')
    await insertIdentity(transaction, userId, { issuer, ...identity })
    await mailIdentityChange(transaction, userId, { change: 'linked', provider })
  }
  await database.transaction(link).catch(refuseTaken)
}

/**
 * Unlinks an identity, removes the roles that its groups gave, and ends the sessions that it opened, except the caller's
 * own.
 * @throws ApiError with the errors of `checkProof`; 404 for an identity that is not linked; 400 if the account would have
 * no way to log in
 */
export async function unlinkIdentity(
  deps: AuthRouteDeps,
  session: OwnSession,
  provider: Provider,
  proof: ProofBody,
): Promise<void> {
  const { userId, sessionId } = session
  await checkProof(deps, session, proof)
  const { issuer } = provider.settings
  await deps.database.transaction(async (transaction) => {
    await lockCurrentUser(transaction, userId)
    const subject = await deleteIdentity(transaction, userId, issuer)
    if (subject === undefined) throw new ApiError('unknown_identity')
    if (!(await hasOtherWayIn(transaction, deps, userId))) throw new ApiError('last_way_in')
    await mailIdentityChange(transaction, userId, { change: 'unlinked', provider })
    await takeSpaceGroups(transaction, userId, issuer)
    const opened = { issuer, subject, providerSession: null }
    const ended = await deleteSessionsOpenedBy(transaction, opened, sessionId)
    publishSessionEnd(
      transaction,
      userId,
      ended.map(({ id }) => id),
    )
  })
}

/**
 * Returns true if the account has another way to log in. Identities of a provider that was removed from the settings
 * do not count.
 */
async function hasOtherWayIn(
  transaction: Transaction,
  { config, providers }: AuthRouteDeps,
  userId: string,
): Promise<boolean> {
  const left = await listIdentities(transaction, userId)
  if (left.some(({ issuer }) => providers.of(issuer) !== undefined)) return true
  return config.passwordLogin && (await findPasswordHash(transaction, userId)) !== null
}
