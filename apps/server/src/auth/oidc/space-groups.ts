import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { enqueueFirst } from '#src/kernel/jobs.ts'
import { groupKey } from '#src/kernel/oidc/group-keys.ts'
import type { ProvenIdentity, Provider } from '#src/kernel/oidc/provider.ts'
import { groupsIn } from './claims.ts'
import { countGroupLogin, listNamedGroups } from './queries.ts'
import type { Ticket } from './sealed.ts'

/** A cookie carries them, and has room for no more. Nobody's directory has as many for one chat server. */
const MAX_GROUPS = 100

/** Returns the keys of the person's groups that any space names; null if none names a group of the provider. */
export async function namedGroups(
  database: Database,
  { settings }: Provider,
  { claims }: ProvenIdentity,
): Promise<string[] | null> {
  const named = await listNamedGroups(database, settings.issuer, groupsIn(claims, settings))
  return named?.slice(0, MAX_GROUPS).map(groupKey) ?? null
}

/** Lets the roles in the person's spaces follow the groups, by a job: spaces have locks of their own. */
export async function followSpaceGroups(
  transaction: Transaction,
  userId: string,
  { settings: { issuer } }: Provider,
  { groups }: Pick<Ticket, 'groups'>,
): Promise<void> {
  if (groups === null) return
  const number = await countGroupLogin(transaction, userId, issuer)
  await enqueueFirst(transaction, 'follow_groups', { user_id: userId, issuer, groups, number })
}
