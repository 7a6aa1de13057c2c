import type { Operator } from '@foyer/protocol/operators'
import type { CurrentUser } from '@foyer/protocol/users'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { publishUserUpdate } from '#src/people/users/actions.ts'
import { findCurrentUser, lockCurrentUser } from '#src/people/users/queries.ts'
import { holdOperator, type OperatorAccess } from './access.ts'
import { isClaim, spendClaims } from './claims.ts'
import { logOperation } from './log.ts'
import {
  deleteOperator,
  hasOperators,
  insertOperator,
  isLocked,
  isOperator,
  isOtherOperator,
  listOperators,
  lockOperators,
} from './queries.ts'

export interface OperatorDeps {
  database: Database
}

/**
 * Makes the caller the first operator, with the token of the printed link.
 * @throws ApiError 409 if there is an operator, 400 for a wrong token
 */
export async function claimServer(
  { database }: OperatorDeps,
  { user: { id } }: Caller,
  token: string,
): Promise<Operator> {
  return database.transaction(async (transaction) => {
    const user = await lockCurrentUser(transaction, id)
    await lockOperators(transaction)
    if (await hasOperators(transaction)) throw new ApiError('has_operator')
    if (user === undefined || !(await isClaim(transaction, token))) throw new ApiError('invalid_token')
    await spendClaims(transaction)
    await insertOperator(transaction, id, null)
    const target = { type: 'user', id, name: user.username } as const
    await logOperation(transaction, { actorId: id, reason: null }, { action: 'operator_claim', ...target })
    return announce(transaction, id)
  })
}

/** @throws ApiError 404 for a user who does not exist, 403 for a locked account, 400 for a bot */
export async function grantOperator(
  { database }: OperatorDeps,
  access: OperatorAccess,
  userId: string,
): Promise<Operator> {
  return database.transaction(async (transaction) => {
    const user = await lockCurrentUser(transaction, userId)
    if (user === undefined) throw new ApiError('unknown_user')
    if (user.is_bot) throw new ApiError('bots_cannot_operate')
    if (await isLocked(transaction, userId)) throw new ApiError('account_locked')
    await lockOperators(transaction)
    await holdOperator(transaction, access)
    const isNew = await insertOperator(transaction, userId, access.actorId)
    if (isNew) {
      // Ends the links for a first operator.
      await spendClaims(transaction)
      const target = { type: 'user', id: userId, name: user.username } as const
      await logOperation(transaction, access, { action: 'operator_grant', ...target })
    }
    return announce(transaction, userId)
  })
}

/** @throws ApiError 404 for a user who is not an operator, 409 for the last operator */
export async function revokeOperator(
  { database }: OperatorDeps,
  access: OperatorAccess,
  userId: string,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const user = await lockCurrentUser(transaction, userId)
    await lockOperators(transaction)
    await holdOperator(transaction, access)
    if (user === undefined || !(await endOperator(transaction, access, user)))
      throw new ApiError('unknown_operator')
    const changed = await findCurrentUser(transaction, userId)
    if (changed !== undefined) await publishUserUpdate(transaction, changed)
  })
}

/**
 * Ends the rights of an operator, with an entry in the log. Called after `lockOperators`. Nothing is published.
 * @returns false for a user who is not an operator
 * @throws ApiError 409 for the last operator
 */
export async function endOperator(
  transaction: Queryable,
  access: Pick<OperatorAccess, 'actorId' | 'reason'>,
  { id, username }: Pick<CurrentUser, 'id' | 'username'>,
): Promise<boolean> {
  if (!(await deleteOperator(transaction, id))) return false
  if (!(await isOtherOperator(transaction, id))) throw new ApiError('last_operator')
  await logOperation(transaction, access, { action: 'operator_revoke', type: 'user', id, name: username })
  return true
}

/** Ends the operator rights of a person whose account is being deleted. The caller has locked the user's row. */
export async function leaveOperators(transaction: Queryable, userId: string): Promise<void> {
  if (!(await isOperator(transaction, userId))) return
  await lockOperators(transaction)
  await deleteOperator(transaction, userId)
}

/**
 * Checks access, and removes an operator whose account another operator deletes. The account stays locked in this
 * transaction.
 * @throws ApiError 403 for a caller who is no longer an operator, 409 for the last operator
 */
export async function retireOperator(
  transaction: Queryable,
  access: OperatorAccess,
  userId: string,
): Promise<void> {
  await lockCurrentUser(transaction, userId)
  const wasOperator = await isOperator(transaction, userId)
  if (wasOperator) await lockOperators(transaction)
  await holdOperator(transaction, access)
  if (!wasOperator) return
  if (!(await isOtherOperator(transaction, userId))) throw new ApiError('last_operator')
  await deleteOperator(transaction, userId)
}

/** Publishes the user with the flag that marks operators. */
async function announce(transaction: Transaction, userId: string): Promise<Operator> {
  const user = await findCurrentUser(transaction, userId)
  if (user !== undefined) await publishUserUpdate(transaction, user)
  const operator = (await listOperators(transaction)).find((each) => each.user.id === userId)
  if (operator === undefined) throw new Error('a new operator cannot be read')
  return operator
}
