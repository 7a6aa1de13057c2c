import { Capability } from '@foyer/protocol/capabilities'
import { has, isTakenByTimeout, Permission, type RightFlags } from '@foyer/protocol/permissions'
import type { ChannelAccess } from '#src/channels/access.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { checkNotFrozen } from '#src/spaces/access.ts'
import { subjectOf } from '#src/spaces/snapshots.ts'

/** Parts of a message that each need a permission. */
interface Parts {
  readonly files?: readonly unknown[]
  readonly embeds?: readonly unknown[] | null | undefined
}

/** @throws ApiError 403 in a frozen space */
export function checkMayRemove({ room }: ChannelAccess): void {
  if (room !== null) checkNotFrozen(room.snapshot.space)
}

/** @throws ApiError 403 in a frozen space, and while the caller is timed out in the room's space */
export function checkMayChange({ room }: ChannelAccess): void {
  if (room === null) return
  checkNotFrozen(room.snapshot.space)
  const subject = subjectOf(room.snapshot, room.member)
  if (isTakenByTimeout(subject, Permission.SendMessages)) throw new ApiError('timed_out')
}

/** @throws ApiError 403 for files without AttachFiles, and for embeds without EmbedLinks */
export function checkParts({ capabilities }: RightFlags, { files = [], embeds }: Parts): void {
  const needed = [
    files.length > 0 ? Capability.AttachFiles : 0,
    (embeds ?? []).length > 0 ? Capability.EmbedLinks : 0,
  ]
  if (!needed.every((flag) => has(capabilities, flag))) throw new ApiError('missing_permission')
}
