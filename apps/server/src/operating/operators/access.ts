import { ApiError } from '#src/kernel/errors.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { lacksSecondFactor, readSecondFactorRule } from '#src/kernel/secrets/second-factor-rule.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { isOperator, keepOperator } from './queries.ts'

declare const granted: unique symbol

/** Proof that the caller runs the server: an operator, or the command line on its machine. */
export interface OperatorAccess {
  readonly [granted]: 'operator'
  /** Null for the command line. */
  readonly actorId: string | null
  /** From the header of the request. */
  readonly reason: string | null
}

/** @throws ApiError 403 for callers who are not operators, and for operators without a required second factor */
export async function accessOperator(database: Queryable, caller: Caller): Promise<OperatorAccess> {
  const isAllowed = caller.kind === 'human' && (await isOperator(database, caller.user.id))
  if (!isAllowed) throw new ApiError('operator_only')
  if (lacksSecondFactor(caller) && (await readSecondFactorRule(database)) !== 'nobody')
    throw new ApiError('second_factor_needed')
  return grant({ actorId: caller.user.id, reason: caller.audit?.reason ?? null })
}

/** Returns operator access for the command line, whose user can read the server's secrets. */
export function accessByCommandLine(reason: string | null): OperatorAccess {
  return grant({ actorId: null, reason })
}

/**
 * Checks access again, because it may have been revoked before the transaction. The access then stays until the
 * transaction ends.
 * @throws ApiError 403 for a caller who is no longer an operator
 */
export async function holdOperator(transaction: Queryable, { actorId }: OperatorAccess): Promise<void> {
  if (actorId === null) return
  if (!(await keepOperator(transaction, actorId))) throw new ApiError('operator_only')
}

/** The only function that creates proofs of access. */
function grant(facts: Omit<OperatorAccess, typeof granted>): OperatorAccess {
  return facts as OperatorAccess
}
