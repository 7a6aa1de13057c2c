import type { FreezeBody, HoldBody, OperatorSpace, RestoreSpaceBody } from '@foyer/protocol/operators'
import type { Space } from '@foyer/protocol/spaces'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { holdOperator, type OperatorAccess } from '#src/operating/operators/access.ts'
import { logOperation, reasonOf } from '#src/operating/operators/log.ts'
import { changeFreeze, endSpace } from '#src/spaces/actions/management.ts'
import { restoreSpace } from '#src/spaces/actions/restoring.ts'
import { lockKept, lockRestorable, saveHold } from '#src/spaces/deleted-queries.ts'
import { lockSpace } from '#src/spaces/membership.ts'
import { findSpaceOf } from './queries.ts'

export interface SpaceAdministrationDeps {
  database: Database
}

/** @throws ApiError 404 for a deleted space */
export function freezeSpace(
  { database }: SpaceAdministrationDeps,
  access: OperatorAccess,
  spaceId: string,
  { reason }: FreezeBody,
): Promise<OperatorSpace> {
  return database.transactionIn(spaceId, async (transaction) => {
    const { name } = await hold(transaction, access, spaceId)
    const frozen = await changeFreeze(transaction, spaceId, { reason: reasonOf(access, reason) })
    const entry = { action: 'space_freeze', type: 'space', id: spaceId, name, reason } as const
    if (frozen !== undefined) await logOperation(transaction, access, entry)
    return read(transaction, spaceId)
  })
}

/** @throws ApiError 404 for a deleted space */
export function unfreezeSpace(
  { database }: SpaceAdministrationDeps,
  access: OperatorAccess,
  spaceId: string,
): Promise<OperatorSpace> {
  return database.transactionIn(spaceId, async (transaction) => {
    const { name } = await hold(transaction, access, spaceId)
    const released = await changeFreeze(transaction, spaceId, null)
    const entry = { action: 'space_unfreeze', type: 'space', id: spaceId, name } as const
    if (released !== undefined) await logOperation(transaction, access, entry)
    return read(transaction, spaceId)
  })
}

/** Deletes the space as its owner could. */
export async function removeSpace(
  { database }: SpaceAdministrationDeps,
  access: OperatorAccess,
  spaceId: string,
): Promise<void> {
  await database.transactionIn(spaceId, async (transaction) => {
    const { name } = await hold(transaction, access, spaceId)
    await endSpace(transaction, spaceId)
    await logOperation(transaction, access, { action: 'space_delete', type: 'space', id: spaceId, name })
  })
}

/**
 * Brings back a deleted space, with all its content from the time of deletion.
 * @throws ApiError 404 for a space that is not deleted or is being purged, and the errors of `restoreSpace`
 */
export function bringBackSpace(
  { database }: SpaceAdministrationDeps,
  access: OperatorAccess,
  spaceId: string,
  { owner_id = null }: RestoreSpaceBody,
): Promise<OperatorSpace> {
  return database.transactionIn(spaceId, async (transaction) => {
    const deleted = await hold(transaction, access, spaceId, lockRestorable)
    await restoreSpace(transaction, deleted, owner_id)
    const { name } = deleted
    await logOperation(transaction, access, { action: 'space_restore', type: 'space', id: spaceId, name })
    return read(transaction, spaceId)
  })
}

/**
 * Puts a legal hold on the space: its messages are not deleted by retention, and it is not purged.
 * @throws ApiError 404 for a space that is being purged
 */
export function holdSpaceForLaw(
  { database }: SpaceAdministrationDeps,
  access: OperatorAccess,
  spaceId: string,
  { reason }: HoldBody,
): Promise<OperatorSpace> {
  return changeHold(database, access, spaceId, { reason: reasonOf(access, reason) })
}

/** @throws ApiError 404 for a space that is being purged */
export function releaseSpace(
  { database }: SpaceAdministrationDeps,
  access: OperatorAccess,
  spaceId: string,
): Promise<OperatorSpace> {
  return changeHold(database, access, spaceId, null)
}

function changeHold(
  database: Database,
  access: OperatorAccess,
  spaceId: string,
  held: { reason: string | null } | null,
): Promise<OperatorSpace> {
  return database.transactionIn(spaceId, async (transaction) => {
    const { name } = await hold(transaction, access, spaceId, lockKept)
    const action = held === null ? 'space_release' : 'space_hold'
    const entry = { action, type: 'space', id: spaceId, name, reason: held?.reason } as const
    if (await saveHold(transaction, spaceId, held)) await logOperation(transaction, access, entry)
    return read(transaction, spaceId)
  })
}

/**
 * Locks the space, and checks the operator's access until the transaction ends.
 * @throws ApiError 404 if `lock` finds no space
 */
async function hold(
  transaction: Transaction,
  access: OperatorAccess,
  spaceId: string,
  lock = lockSpace,
): Promise<Space> {
  const space = await lock(transaction, spaceId)
  await holdOperator(transaction, access)
  if (space === undefined) throw new ApiError('unknown_space')
  return space
}

async function read(transaction: Transaction, spaceId: string): Promise<OperatorSpace> {
  const space = await findSpaceOf(transaction, spaceId)
  if (space === undefined) throw new ApiError('unknown_space')
  return space
}
