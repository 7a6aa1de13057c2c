import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import type { UpsertOverwriteBody } from '@foyer/protocol/roles'

/** Whom a private room is for, besides who makes it. */
export interface Viewer {
  readonly id: string
  /** One of `OverwriteTarget`. */
  readonly type: number
  readonly name: string
}

const { ViewChannels } = Permission

/** What hides a room from everybody but these, and who makes it. */
export function privateOverwrites(
  spaceId: string,
  myId: string,
  viewers: readonly Viewer[],
): UpsertOverwriteBody[] {
  const others = viewers.filter(({ id }) => id !== myId)
  return [
    { target_id: spaceId, target_type: OverwriteTarget.Role, allow_flags: 0, deny_flags: ViewChannels },
    ...[{ id: myId, type: OverwriteTarget.Member }, ...others].map(({ id, type }) => ({
      target_id: id,
      target_type: type,
      allow_flags: ViewChannels,
      deny_flags: 0,
    })),
  ]
}
