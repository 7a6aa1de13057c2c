import { type Room, RoomType } from '@foyer/protocol/rooms'
import { Link } from 'wouter'
import { useAppState } from '#src/session/context.ts'
import { isUnread, mentionCount } from '#src/store/selectors.ts'
import { Count } from '#src/ui/count.tsx'
import { isHiddenFromEveryone } from './private-rooms.ts'
import { RoomIcon } from './room-icon.tsx'
import { roomName } from './room-name.ts'

interface RoomLinkProps {
  room: Room
  isCurrent: boolean
  isMovable: boolean
}

export function RoomLink({ room, isCurrent, isMovable }: RoomLinkProps) {
  const unread = useAppState((state) => isUnread(state, room.id)) && !isCurrent
  const mentions = useAppState((state) => (isCurrent ? 0 : mentionCount(state, room.id)))
  const space = useAppState((state) => state.spaces[room.space_id])
  const isPrivate = space !== undefined && isHiddenFromEveryone(space, room.id)
  const isVoice = room.type === RoomType.Voice
  const name = roomName(room)
  return (
    <Link
      href={`/spaces/${room.space_id}/rooms/${room.id}`}
      className="room-link"
      aria-label={[
        name,
        ...(isVoice ? ['voice'] : []),
        ...(isPrivate ? ['private'] : []),
        ...(unread ? ['unread'] : []),
        ...(mentions > 0 ? [mentions === 1 ? '1 mention' : `${mentions} mentions`] : []),
      ].join(', ')}
      aria-current={isCurrent ? 'page' : undefined}
      aria-keyshortcuts={isMovable ? 'Alt+ArrowUp Alt+ArrowDown' : undefined}
      data-unread={unread || undefined}
      draggable={false}
    >
      <RoomIcon type={room.type} isPrivate={isPrivate} />
      <span className="room-name">{name}</span>
      {mentions > 0 ? <Count count={mentions} isCalling /> : unread && <span className="unread-dot" />}
    </Link>
  )
}
