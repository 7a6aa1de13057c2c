import { RoomType } from '@foyer/protocol/rooms'
import { t } from '#src/language/texts.ts'
import { roomLabel } from '#src/rooms/names/room-name.ts'
import { useAppState } from '#src/session/context.ts'
import './also-to-room.css'

interface AlsoToRoomProps {
  roomId: string
  isChecked: boolean
  onChange: (isChecked: boolean) => void
}

/** Checkbox at a thread's composer that also forwards the next message to the room. Hidden in forums, which have no messages. */
export function AlsoToRoom({ roomId, isChecked, onChange }: AlsoToRoomProps) {
  const room = useAppState(({ rooms }) => rooms[roomId])
  if (room === undefined || room.type === RoomType.Forum) return null
  return (
    <label className="also-to-room">
      <input type="checkbox" checked={isChecked} onChange={({ target }) => onChange(target.checked)} />
      <span>{t('Also send to {room}', { room: roomLabel(room) })}</span>
    </label>
  )
}
