import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import type { UpsertOverwriteBody } from '@foyer/protocol/roles'

/** A role or member who may view a private room, besides its creator. */
export interface Viewer {
  readonly id: string
  /** One of `OverwriteTarget`. */
  readonly type: number
  readonly name: string
}

interface NewRoom {
  readonly spaceId: string
  readonly myId: string
  /** Null for a room that everyone may view. */
  readonly viewers: readonly Viewer[] | null
  /** True for an announcement room, in which only the creator may write at first. */
  readonly announces: boolean
}

const { ViewChannels, SendMessages } = Permission

/**
 * Returns the overwrites of a new room. Only the creator and the viewers may view a private room. Only the
 * creator may write in an announcement room.
 */
export function firstOverwrites({
  spaceId,
  myId,
  viewers,
  announces,
}: NewRoom): Required<UpsertOverwriteBody>[] {
  const flags = (viewers === null ? 0 : ViewChannels) | (announces ? SendMessages : 0)
  if (flags === 0) return []
  const others = (viewers ?? []).filter(({ id }) => id !== myId)
  return [
    overwrite({ id: spaceId, type: OverwriteTarget.Role }, { deny_flags: flags }),
    overwrite({ id: myId, type: OverwriteTarget.Member }, { allow_flags: flags }),
    ...others.map((viewer) => overwrite(viewer, { allow_flags: ViewChannels })),
  ]
}

function overwrite(
  { id, type }: Pick<Viewer, 'id' | 'type'>,
  flags: Partial<Pick<UpsertOverwriteBody, 'allow_flags' | 'deny_flags'>>,
): Required<UpsertOverwriteBody> {
  return {
    target_id: id,
    target_type: type,
    allow_flags: 0,
    deny_flags: 0,
    allow_capabilities: 0,
    deny_capabilities: 0,
    ...flags,
  }
}
