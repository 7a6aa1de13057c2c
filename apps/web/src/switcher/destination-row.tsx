import { ConversationAvatar } from '#src/conversations/conversation-avatar.tsx'
import { t } from '#src/language/texts.ts'
import { RoomIcon } from '#src/rooms/room-icon.tsx'
import { useAppState } from '#src/session/context.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { Count } from '#src/ui/count.tsx'
import type { Destination } from './destinations.ts'

interface DestinationRowProps {
  id: string
  destination: Destination
  isMarked: boolean
  onMark: () => void
  onGo: () => void
}

export function DestinationRow({ id, destination, isMarked, onMark, onGo }: DestinationRowProps) {
  const { name, note, unread, mentions } = destination
  return (
    <button
      id={id}
      type="button"
      role="option"
      tabIndex={-1}
      aria-selected={isMarked}
      className="destination"
      data-unread={unread > 0 || undefined}
      // The focus stays where one types.
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={onMark}
      onClick={onGo}
    >
      <Sign destination={destination} />
      <span className="destination-name" dir="auto">
        {name}
      </span>
      {note !== '' && <span className="destination-note">{note}</span>}
      {mentions > 0 ? <Count count={mentions} isCalling /> : unread > 0 && <span className="unread-dot" />}
      {unread > 0 && <span className="visually-hidden">{t('unread')}</span>}
    </button>
  )
}

function Sign({ destination: { kind, id, name } }: { destination: Destination }) {
  const room = useAppState((state) => state.rooms[id])
  const conversation = useAppState((state) => state.conversations[id])
  if (kind === 'room')
    return <span className="destination-icon">{room !== undefined && <RoomIcon type={room.type} />}</span>
  if (kind === 'conversation')
    return conversation === undefined ? null : <ConversationAvatar conversation={conversation} size="sm" />
  return <Avatar id={id} name={name} size="sm" />
}
