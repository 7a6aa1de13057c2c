import type { Transaction } from '#src/kernel/database/database.ts'
import type { Provider } from '#src/kernel/oidc/provider.ts'
import { spendClaims } from '#src/operating/operators/claims.ts'
import { logOperation } from '#src/operating/operators/log.ts'
import {
  deleteOperator,
  insertOperator,
  isOtherOperator,
  lockOperators,
} from '#src/operating/operators/queries.ts'
import { publishUserUpdate } from '#src/people/users/actions.ts'
import { findCurrentUser } from '#src/people/users/queries.ts'
import { isGroupOperator, noteGroupOperator } from './queries.ts'
import type { Ticket } from './sealed.ts'

/**
 * Makes the user an operator if they are in the provider's operator groups, and ends this if they have left the groups.
 * The last operator stays, and so does an operator appointed by a person. The user's row is already locked.
 */
export async function followGroups(
  transaction: Transaction,
  userId: string,
  provider: Provider,
  { isOperator }: Pick<Ticket, 'isOperator'>,
): Promise<void> {
  if (isOperator === null) return
  await lockOperators(transaction)
  const hasChanged = isOperator
    ? await grant(transaction, userId, provider)
    : await revoke(transaction, userId, provider)
  const user = hasChanged ? await findCurrentUser(transaction, userId) : undefined
  if (user === undefined) return
  const action = isOperator ? 'operator_grant' : 'operator_revoke'
  const target = { type: 'user', id: userId, name: user.username } as const
  const details = { provider: provider.settings.name }
  await logOperation(transaction, { actorId: null, reason: null }, { action, ...target, details })
  await publishUserUpdate(transaction, user)
}

async function grant(transaction: Transaction, userId: string, { settings }: Provider): Promise<boolean> {
  if (!(await insertOperator(transaction, userId, null))) return false
  await noteGroupOperator(transaction, userId, settings.issuer)
  await spendClaims(transaction)
  return true
}

async function revoke(transaction: Transaction, userId: string, { settings }: Provider): Promise<boolean> {
  if (!(await isGroupOperator(transaction, userId, settings.issuer))) return false
  if (!(await isOtherOperator(transaction, userId))) return false
  return deleteOperator(transaction, userId)
}
