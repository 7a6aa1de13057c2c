import { isDeepStrictEqual } from 'node:util'
import { type AuditAction, type AuditTargetType, auditActions } from '@foyer/protocol/audit-actions'
import type { AuditFields, AuditLogEntry } from '@foyer/protocol/audit-log'
import type { Space } from '@foyer/protocol/spaces'
import type { Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { idTime, newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import type { AuditContext } from '#src/kernel/secrets/credentials.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/**
 * The space of a change, and the caller who makes it. A `SpaceAccess` or `RoomAccess` can be passed. A webhook and the
 * server itself have no caller.
 */
export interface Actor {
  readonly spaceId: string
  readonly caller?: { readonly user: { readonly id: string }; readonly audit?: AuditContext }
}

/** A change of one object. The entry keeps the fields of `before` and `after` that `auditActions` lists. */
export interface Change {
  readonly type: AuditTargetType
  readonly id: string
  /** Omitted for users: the log must not keep the name of a deleted account. */
  readonly name?: string | null
  readonly roomId?: string
  /** Omitted for a created object. */
  readonly before?: object | undefined
  /** Omitted for a deleted object. */
  readonly after?: object
  /** Reason to store, unless the request has a reason in its header. */
  readonly reason?: string | null | undefined
}

/**
 * Writes a change to the audit log, in the change's own transaction. A change of several rows has one entry.
 * @throws ApiError 409 if the request undoes an entry and the same fields were changed since
 */
export async function record(
  transaction: Transaction,
  { spaceId, caller }: Actor,
  action: AuditAction,
  change: Change,
): Promise<void> {
  const { undoes, reason = change.reason || null } = caller?.audit ?? {}
  const id = newId()
  const entry: AuditLogEntry = {
    id,
    space_id: spaceId,
    actor_id: caller?.user.id ?? null,
    action,
    target_type: change.type,
    target_id: change.id,
    target_name: change.name ?? null,
    room_id: change.roomId ?? null,
    ...keptFields(action, change),
    reason,
    undoes: undoes?.id ?? null,
    undone_by: null,
    created_at: new Date(idTime(id)).toISOString(),
  }
  if (undoes !== undefined) checkUnchanged(undoes, entry)
  await insertEntry(transaction, entry)
  transaction.publish(event(topicOf.space(spaceId), 'AUDIT_LOG_ENTRY_CREATE', entry))
}

/** Returns the space as the target of a change. */
export function targetOf({ id, name }: Pick<Space, 'id' | 'name'>) {
  return { type: 'space', id, name } as const
}

type Kept = Pick<AuditLogEntry, 'before' | 'after'>

/** Actions that replace an object as a whole. To undo such an action, all fields of the old object are needed. */
const replacing: ReadonlySet<AuditAction> = new Set(['overwrite_update', 'timeout_create', 'ban_create'])

/** Returns the fields to log: for a change of an existing object, only those that differ. */
function keptFields(action: AuditAction, change: Change): Kept {
  const before = fieldsOf(action, change.before)
  const after = fieldsOf(action, change.after)
  if (before === null || after === null || replacing.has(action)) return { before, after }
  const changed = Object.keys(after).filter((field) => !isDeepStrictEqual(before[field], after[field]))
  const only = (fields: AuditFields) => Object.fromEntries(changed.map((field) => [field, fields[field]]))
  return { before: only(before), after: only(after) }
}

function fieldsOf(action: AuditAction, of: object | undefined): AuditFields | null {
  if (of === undefined) return null
  const names: readonly string[] = auditActions[action]
  return Object.fromEntries(Object.entries(of).filter(([name]) => names.includes(name)))
}

/** @throws ApiError 409 unless the fields still have the values that the undone change gave them */
function checkUnchanged({ after }: AuditLogEntry, { before }: AuditLogEntry): void {
  if (before === null || after === null) return
  const isUnchanged = Object.keys(before).every((field) => isDeepStrictEqual(before[field], after[field]))
  if (!isUnchanged) throw new ApiError('changed_since')
}

async function insertEntry(transaction: Queryable, entry: AuditLogEntry): Promise<void> {
  const { space_id, id, action, actor_id, target_type, target_id, target_name, room_id, reason } = entry
  await transaction.query(sql`
    insert into audit_log
      (space_id, id, action, actor_id, target_type, target_id, target_name, room_id, before, after, reason, undoes)
    values (${space_id}, ${id}, ${action}, ${actor_id}, ${target_type}, ${target_id}, ${target_name}, ${room_id},
      ${jsonOf(entry.before)}, ${jsonOf(entry.after)}, ${reason}, ${entry.undoes})`)
}

function jsonOf(fields: AuditFields | null): string | null {
  return fields && JSON.stringify(fields)
}
