import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import type { UpsertOverwriteBody } from '@foyer/protocol/roles'

/** A role or member who may view a private room, besides its creator. */
export interface Viewer {
  readonly id: string
  /** One of `OverwriteTarget`. */
  readonly type: number
  readonly name: string
}

const { ViewChannels } = Permission
const noCapabilities = { allow_capabilities: 0, deny_capabilities: 0 }

/** Returns the overwrites that hide a room from everyone except its creator and these viewers. */
export function privateOverwrites(
  spaceId: string,
  myId: string,
  viewers: readonly Viewer[],
): Required<UpsertOverwriteBody>[] {
  const others = viewers.filter(({ id }) => id !== myId)
  return [
    {
      target_id: spaceId,
      target_type: OverwriteTarget.Role,
      allow_flags: 0,
      deny_flags: ViewChannels,
      ...noCapabilities,
    },
    ...[{ id: myId, type: OverwriteTarget.Member }, ...others].map(({ id, type }) => ({
      target_id: id,
      target_type: type,
      allow_flags: ViewChannels,
      deny_flags: 0,
      ...noCapabilities,
    })),
  ]
}
