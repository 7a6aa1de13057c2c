import { type AuditAction, isReversible } from '@foyer/protocol/audit-actions'
import type { AuditFields, AuditLogEntry } from '@foyer/protocol/audit-log'
import { BanBody } from '@foyer/protocol/bans'
import { TimeoutBody, UpdateMemberBody } from '@foyer/protocol/members'
import { UpdateRoleBody, UpsertOverwriteBody } from '@foyer/protocol/roles'
import { UpdateRoomBody } from '@foyer/protocol/rooms'
import { UpdateSpaceBody } from '@foyer/protocol/spaces'
import { type Static, type TObject, Type } from 'typebox'
import { ApiError } from '#src/kernel/errors.ts'
import { compileInput } from '#src/kernel/http/validation.ts'
import type { ChargeDeps } from '#src/kernel/limits/rate-limits.ts'
import { isUniqueViolation } from '#src/kernel/sql/unique-violation.ts'
import { updateMember } from '#src/members/actions.ts'
import { liftTimeout, timeOut } from '#src/members/timeouts/actions.ts'
import { banUser, unbanUser } from '#src/moderation/bans/actions.ts'
import type { ScreeningDeps } from '#src/moderation/screening/actions/consequences.ts'
import { deleteOverwrite, upsertOverwrite } from '#src/overwrites/actions.ts'
import { assignRole, removeRole } from '#src/roles/actions/assignment.ts'
import { updateRole } from '#src/roles/actions/roles.ts'
import { updateRoom } from '#src/rooms/actions.ts'
import type { SpaceAccess } from '#src/spaces/access.ts'
import { updateSpace } from '#src/spaces/actions/management.ts'
import { findUndo } from './queries.ts'

export type UndoDeps = ChargeDeps & ScreeningDeps

type Undo = (deps: UndoDeps, access: SpaceAccess, entry: AuditLogEntry) => Promise<unknown>

/** The reverse action for each kind of change. It requires the same permissions as the change itself. */
const undoing: Partial<Record<AuditAction, Undo>> = {
  space_update: (deps, access, { before }) => updateSpace(deps, access, read(SpaceTexts, before)),
  room_update: (deps, access, { target_id, before }) =>
    updateRoom(deps, access, target_id, read(UpdateRoomBody, withNoName(before))),
  role_update: (deps, access, { target_id, before }) =>
    updateRole(deps, access, target_id, read(UpdateRoleBody, before)),
  role_assign: (deps, access, entry) => removeRole(deps, access, assignmentIn(entry, entry.after)),
  role_remove: (deps, access, entry) => assignRole(deps, access, assignmentIn(entry, entry.before)),
  overwrite_update: restoreOverwrite,
  overwrite_delete: restoreOverwrite,
  member_update: (deps, access, { target_id, before }) =>
    updateMember(deps, access, target_id, read(UpdateMemberBody, before)),
  timeout_create: restoreTimeout,
  timeout_delete: restoreTimeout,
  ban_create: restoreBan,
  ban_delete: restoreBan,
}

/**
 * Restores the values that the changed fields of an entry had before. Does nothing if the same fields were changed
 * since.
 * @returns the entry of the new change
 * @throws ApiError 400 for an irreversible change; 409 for a change that was already undone, or whose fields were changed
 * since; and with the errors of the reverse action
 */
export async function undoChange(
  deps: UndoDeps,
  access: SpaceAccess,
  entry: AuditLogEntry,
): Promise<AuditLogEntry> {
  if (entry.undone_by !== null) throw new ApiError('already_undone')
  const undo = isReversible(entry) ? undoing[entry.action] : undefined
  if (undo === undefined) throw new ApiError('not_reversible')
  const caller = { ...access.caller, audit: { ...access.caller.audit, undoes: entry } }
  try {
    await undo(deps, { ...access, caller }, entry)
  } catch (error) {
    throw isUniqueViolation(error, 'audit_log_undoes') ? new ApiError('already_undone') : error
  }
  const undone = await findUndo(deps.database, entry)
  // Nothing changed, because another moderator has already reverted it.
  if (undone === undefined) throw new ApiError('changed_since')
  if (undone.actor_id !== caller.user.id) throw new ApiError('already_undone')
  return undone
}

async function restoreOverwrite(
  deps: UndoDeps,
  access: SpaceAccess,
  { room_id, target_id, before }: AuditLogEntry,
): Promise<void> {
  if (room_id === null) throw new ApiError('not_reversible')
  if (before === null) return deleteOverwrite(deps, access, room_id, target_id)
  const body = read(UpsertOverwriteBody, { ...before, target_id })
  await upsertOverwrite(deps, access, room_id, body)
}

async function restoreTimeout(
  deps: UndoDeps,
  access: SpaceAccess,
  { target_id, before }: AuditLogEntry,
): Promise<void> {
  const wasTimedOut = Date.parse(String(before?.until)) > Date.now()
  if (!wasTimedOut) return liftTimeout(deps, access, target_id)
  await timeOut(deps, access, target_id, read(TimeoutBody, before))
}

async function restoreBan(
  deps: UndoDeps,
  access: SpaceAccess,
  { target_id, before }: AuditLogEntry,
): Promise<void> {
  if (before === null) return unbanUser(deps, access, target_id)
  await banUser(deps, access, target_id, read(BanBody, before))
}

/** Fields without images: the former images have been deleted. */
const SpaceTexts = Type.Omit(UpdateSpaceBody, ['icon', 'banner'])
const RoleField = Type.Object({ role_id: Type.String() })

function assignmentIn({ space_id: spaceId, target_id: memberId }: AuditLogEntry, fields: AuditFields | null) {
  return { spaceId, memberId, roleId: read(RoleField, fields).role_id }
}

/** Replaces an empty name by null: the log has an empty name for a room without one, but an update clears it with null. */
function withNoName(fields: AuditFields | null): AuditFields {
  return fields?.name === '' ? { ...fields, name: null } : { ...fields }
}

/**
 * Returns the entry's fields that the schema has. An entry only has fields that changed.
 * @throws ApiError 400 if the schema refuses them
 */
function read<S extends TObject>(schema: S, fields: AuditFields | null): Static<S> {
  const isValid = compileInput(schema)
  const body: unknown = { ...fields }
  if (!isValid(body)) throw new ApiError('not_reversible')
  return body
}
