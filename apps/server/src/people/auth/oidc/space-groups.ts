import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { enqueueFirst } from '#src/kernel/jobs.ts'
import { groupKey } from '#src/kernel/oidc/group-keys.ts'
import type { ProvenIdentity, Provider } from '#src/kernel/oidc/provider.ts'
import { groupsIn } from './claims.ts'
import { findOwnerOf, listNamedGroups, noteGroupsAt, readTime } from './queries.ts'
import type { NamedGroups, Ticket } from './sealed.ts'

/** Maximum groups in a ticket, because the size of its cookie is limited. In real directories, a person's spaces name fewer. */
const MAX_GROUPS = 60

/**
 * Returns the person's groups that their spaces name or, until an account is linked, that any space names.
 * @returns null if none of these spaces names a group of the provider
 */
export async function namedGroups(
  database: Database,
  { settings }: Provider,
  { claims, subject }: ProvenIdentity,
): Promise<NamedGroups | null> {
  const { issuer } = settings
  // Read before the spaces: a group role that is added later was not part of this login.
  const at = await readTime(database)
  const ownerId = (await findOwnerOf(database, { issuer, subject })) ?? null
  const named = await listNamedGroups(database, { issuer, ownerId }, groupsIn(claims, settings))
  if (named === null) return null
  return { keys: named.slice(0, MAX_GROUPS).map(groupKey), isWhole: named.length <= MAX_GROUPS, ownerId, at }
}

interface GroupLogin {
  userId: string
  provider: Provider
  ticket: Pick<Ticket, 'groups'>
  /** True if this login has just linked the identity. */
  isNew: boolean
}

/**
 * Enqueues a job that updates the roles in the person's spaces, because each space has a lock of its own. Groups from
 * before the identity was linked to this account are ignored.
 */
export async function followSpaceGroups(
  transaction: Transaction,
  { userId, provider, ticket: { groups }, isNew }: GroupLogin,
): Promise<void> {
  if (groups === null || groups.ownerId !== (isNew ? null : userId)) return
  const { issuer } = provider.settings
  const { at, keys, isWhole } = groups
  if (!(await noteGroupsAt(transaction, { userId, issuer, at, isNew }))) return
  const payload = { user_id: userId, issuer, groups: keys, is_whole: isWhole, at }
  await enqueueFirst(transaction, 'follow_groups', payload)
}

/** Enqueues a job that removes the roles from groups of a provider, after the identity was unlinked. */
export async function takeSpaceGroups(
  transaction: Transaction,
  userId: string,
  issuer: string,
): Promise<void> {
  await enqueueFirst(transaction, 'take_group_roles', { user_id: userId, issuer })
}
