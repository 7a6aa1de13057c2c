import type { Room } from '@foyer/protocol/rooms'
import { RoomType } from '@foyer/protocol/rooms'
import { Hash, Volume2 } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { useAppState } from '#src/session/context.ts'
import { isUnread, roomGroups } from '#src/store/selectors.ts'
import './room-list.css'

interface RoomListProps {
  spaceId: string
  currentRoomId: string | null
}

/** A space's rooms by category; what is unread stands out. */
export function RoomList({ spaceId, currentRoomId }: RoomListProps) {
  const rooms = useAppState((state) => state.rooms)
  const groups = useMemo(() => roomGroups(rooms, spaceId), [rooms, spaceId])
  return (
    <nav className="room-list" aria-label="Rooms">
      {groups.map((group) => (
        <section key={group.category?.id ?? 'loose'} aria-label={group.category?.name}>
          {group.category !== null && <h2 className="room-category">{group.category.name}</h2>}
          <ul>
            {group.rooms.map((room) => (
              <li key={room.id}>
                <RoomLink room={room} isCurrent={room.id === currentRoomId} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

function RoomLink({ room, isCurrent }: { room: Room; isCurrent: boolean }) {
  const unread = useAppState((state) => isUnread(state, room)) && !isCurrent
  const isVoice = room.type === RoomType.Voice
  const Icon = isVoice ? Volume2 : Hash
  return (
    <Link
      href={`/spaces/${room.space_id}/rooms/${room.id}`}
      className="room-link"
      aria-label={[room.name, ...(isVoice ? ['voice'] : []), ...(unread ? ['unread'] : [])].join(', ')}
      aria-current={isCurrent ? 'page' : undefined}
      data-unread={unread || undefined}
    >
      <Icon aria-hidden="true" />
      <span className="room-name">{room.name}</span>
      {unread && <span className="unread-dot" />}
    </Link>
  )
}
