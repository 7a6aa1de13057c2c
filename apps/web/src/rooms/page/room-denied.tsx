import type { Room } from '@foyer/protocol/rooms'
import { t } from '#src/language/texts.ts'
import { useTimeoutEnd } from '#src/permissions/timeout.ts'
import { useIsFrozen } from '#src/permissions/use-permissions.ts'
import { useAppState } from '#src/session/context.ts'
import { lazyAside } from '#src/ui/loading/lazy-popup.tsx'

const TimeoutNote = lazyAside(() => import('./timeout-note.tsx').then((module) => module.TimeoutNote))

/** Replaces the composer of a user who may not write in the room. */
export function RoomDenied({ room }: { room: Room }) {
  const member = useAppState((state) => state.spaces[room.space_id]?.member)
  const end = useTimeoutEnd(member)
  const isFrozen = useIsFrozen(room.space_id)
  if (isFrozen) return t('This space is frozen. You can read, but not write.')
  if (end === null || member === undefined)
    return t('You don’t have permission to send messages in this room.')
  return <TimeoutNote key={end} spaceId={room.space_id} userId={member.user_id} until={end} />
}
