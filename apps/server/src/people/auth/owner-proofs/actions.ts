import { OWNER_PROOF_SECONDS } from '@foyer/protocol/limits'
import type { OwnerProof, ProveByPasskeyBody, WaysToProve } from '@foyer/protocol/owner-proofs'
import type { PasskeyRequestOptions } from '@foyer/protocol/passkeys'
import { ApiError } from '#src/kernel/errors.ts'
import { hashToken, newToken } from '#src/kernel/ids.ts'
import type { Provider } from '#src/kernel/oidc/provider.ts'
import { findPasswordHash } from '#src/people/users/queries.ts'
import type { AuthRouteDeps } from '../deps.ts'
import { findOwnerOf, listIdentities } from '../oidc/queries.ts'
import { FLOW_SECONDS } from '../oidc/sealed.ts'
import { challengeIn, newChallenge, requestOptions } from '../passkeys/ceremonies.ts'
import { countPasskeys, insertChallenge, spendChallenge } from '../passkeys/queries.ts'
import type { PasskeySite } from '../passkeys/site.ts'
import { countProvenUse, findProvenUse } from '../passkeys/uses.ts'
import { hasSession } from '../queries.ts'
import { findSecondFactors } from '../second-factors/queries.ts'
import type { OwnSession } from '../session-of.ts'
import { confirmProof, insertProof } from './queries.ts'

/** A proof that a browser has begun at a provider. */
export interface BegunProof extends OwnSession {
  /** Hash of the token, in base 64. */
  hash: string
}

/**
 * Returns the ways in which the owner can prove their presence.
 * @param site undefined where browsers allow no passkeys
 */
export async function findWays(
  deps: AuthRouteDeps,
  userId: string,
  site: PasskeySite | undefined,
): Promise<WaysToProve> {
  const { database } = deps
  const { totp_since } = await findSecondFactors(database, userId)
  const password = (await findPasswordHash(database, userId)) !== null
  const always = { password, code: totp_since !== null }
  if (!allowsFreshProofs(deps, password)) return { ...always, passkey: false, providers: [] }
  const identities = await listIdentities(database, userId)
  return {
    ...always,
    passkey: site !== undefined && (await countPasskeys(database, userId)) > 0,
    providers: identities.flatMap(({ issuer }) => {
      const settings = deps.providers.of(issuer)?.settings
      return settings === undefined ? [] : [{ id: settings.id, name: settings.name }]
    }),
  }
}

/**
 * Begins a proof at a provider, which has to confirm it.
 * @throws ApiError 400 for an account that must use its password, 404 for an account without an identity at the provider
 */
export async function beginProof(
  deps: AuthRouteDeps,
  session: OwnSession,
  provider: Provider,
): Promise<{ token: string; begun: BegunProof }> {
  const { database } = deps
  await demandFreshProofs(deps, session.userId)
  const identities = await listIdentities(database, session.userId)
  const isLinked = identities.some(({ issuer }) => issuer === provider.settings.issuer)
  if (!isLinked) throw new ApiError('unknown_identity')
  const token = newToken()
  const hash = hashToken(token)
  const kind = { kind: 'provider', isConfirmed: false, seconds: FLOW_SECONDS } as const
  await insertProof(database, { hash, ...session, ...kind })
  return { token, begun: { ...session, hash: hash.toString('base64') } }
}

/**
 * Confirms the proof, for the identity that has just logged in at the provider.
 * @throws ApiError 403 for an identity of another account, 400 for an expired proof, 401 if the session of the proof has
 * ended
 */
export async function finishProof(
  { database }: Pick<AuthRouteDeps, 'database'>,
  { hash, ...session }: BegunProof,
  identity: { issuer: string; subject: string },
): Promise<void> {
  await database.transaction(async (transaction) => {
    if (!(await hasSession(transaction, session))) throw new ApiError('authentication_required')
    if ((await findOwnerOf(transaction, identity)) !== session.userId) throw new ApiError('other_identity')
    const isConfirmed = await confirmProof(transaction, { hash: Buffer.from(hash, 'base64'), ...session })
    if (!isConfirmed) throw new ApiError('proof_ended')
  })
}

/** @throws ApiError 400 for an account that must use its password, 404 for an account without a passkey */
export async function preparePasskeyProof(
  deps: AuthRouteDeps,
  session: OwnSession,
  site: PasskeySite,
): Promise<PasskeyRequestOptions> {
  const { database } = deps
  await demandFreshProofs(deps, session.userId)
  if ((await countPasskeys(database, session.userId)) === 0) throw new ApiError('unknown_passkey')
  const challenge = newChallenge()
  await insertChallenge(database, challenge, session)
  return requestOptions(site, challenge)
}

/** @throws ApiError 400 for a passkey that is not of this account, that seems to be a copy, or that signed too late */
export async function proveByPasskey(
  { database }: Pick<AuthRouteDeps, 'database'>,
  session: OwnSession,
  { credential }: ProveByPasskeyBody,
  site: PasskeySite,
): Promise<OwnerProof> {
  const challenge = challengeIn(credential)
  if (challenge === undefined) throw new ApiError('passkey_refused')
  if (!(await spendChallenge(database, challenge, session))) throw new ApiError('passkey_challenge_ended')
  const proven = await findProvenUse(database, { site, challenge, credential })
  if (proven?.userId !== session.userId) throw new ApiError('passkey_refused')
  const token = newToken()
  const kind = { kind: 'passkey', isConfirmed: true, seconds: OWNER_PROOF_SECONDS } as const
  const endsAt = await database.transaction(async (transaction) => {
    if ((await countProvenUse(transaction, proven)) !== 'counted') return undefined
    return insertProof(transaction, { hash: hashToken(token), ...session, ...kind })
  })
  // Thrown after the transaction, which must commit: it mails the owner that the passkey seems to be a copy.
  if (endsAt === undefined) throw new ApiError('passkey_refused')
  return { proof: token, expires_at: endsAt }
}

/**
 * Throws if the account must prove its ownership by its password: it has one, and password login is on. A provider is
 * trusted only for its own logins.
 */
async function demandFreshProofs(deps: AuthRouteDeps, userId: string): Promise<void> {
  const hasPassword = (await findPasswordHash(deps.database, userId)) !== null
  if (!allowsFreshProofs(deps, hasPassword)) throw new ApiError('password_required')
}

function allowsFreshProofs({ config }: AuthRouteDeps, hasPassword: boolean): boolean {
  return !hasPassword || !config.passwordLogin
}
