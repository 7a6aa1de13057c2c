import type { Room } from '@foyer/protocol/rooms'
import { t } from '#src/language/texts.ts'
import { useTimeoutEnd } from '#src/permissions/timeout.ts'
import { useIsFrozen } from '#src/permissions/use-permissions.ts'
import { useAppState } from '#src/session/context.ts'
import { FollowOffer } from '../following/follow-offer.tsx'
import { TimeoutNote } from './timeout-note.tsx'

/** The reason why the user may not write in the room. */
export function Denial({ room }: { room: Room }) {
  const member = useAppState((state) => state.spaces[room.space_id]?.member)
  const end = useTimeoutEnd(member)
  const isFrozen = useIsFrozen(room.space_id)
  if (isFrozen) return t('This space is frozen. You can read, but not write.')
  if (end !== null && member !== undefined)
    return <TimeoutNote key={end} spaceId={room.space_id} userId={member.user_id} until={end} />
  if (room.announces) return <FollowOffer room={room} />
  return t('You don’t have permission to send messages in this room.')
}
