import type { Room } from '@foyer/protocol/rooms'
import { t } from '#src/language/texts.ts'
import { MessageText } from '#src/messages/content/message-text.tsx'
import { RoomSign } from '../names/room-icon.tsx'

/** The introduction above the first message of a room. */
export function RoomBeginning({ room, title }: { room: Room; title: string }) {
  return (
    <>
      <span className="list-top-icon">
        <RoomSign room={room} />
      </span>
      <h2>{title}</h2>
      {room.description ? (
        <MessageText text={room.description} />
      ) : (
        <p>{room.last_seq === 0 && t('No messages yet. Say hello!')}</p>
      )}
    </>
  )
}
