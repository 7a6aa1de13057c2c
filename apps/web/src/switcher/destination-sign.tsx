import type { Room } from '@foyer/protocol/rooms'
import { ConversationAvatar } from '#src/conversations/conversation-avatar.tsx'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { RoomIcon } from '#src/rooms/names/room-icon.tsx'
import { useIsPrivate } from '#src/rooms/names/use-is-private.ts'
import { useAppState } from '#src/session/context.ts'
import type { Destination } from './destinations.ts'

interface DestinationSignProps {
  destination: Destination
  /** Class of the element around the icon of a room. */
  className: string
}

/** The icon or avatar of a destination. */
export function DestinationSign({ destination: { kind, id, name }, className }: DestinationSignProps) {
  const room = useAppState((state) => state.rooms[id])
  const conversation = useAppState((state) => state.conversations[id])
  if (kind === 'room')
    return <span className={className}>{room !== undefined && <SignOfRoom room={room} />}</span>
  if (kind === 'conversation')
    return conversation === undefined ? null : <ConversationAvatar conversation={conversation} size="sm" />
  return <Avatar id={id} name={name} size="sm" />
}

function SignOfRoom({ room }: { room: Room }) {
  const isPrivate = useIsPrivate(room)
  return (
    <>
      <RoomIcon room={room} isPrivate={isPrivate} />
      {isPrivate && <span className="visually-hidden">{t('private')}</span>}
    </>
  )
}
