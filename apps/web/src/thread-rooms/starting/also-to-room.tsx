import { t } from '#src/language/texts.ts'
import './also-to-room.css'

interface AlsoToRoomProps {
  /** Name of the room as people write it. */
  room: string
  isChecked: boolean
  onChange: (isChecked: boolean) => void
}

/** At the composer of a thread: forwards the next message to the room, too. */
export function AlsoToRoom({ room, isChecked, onChange }: AlsoToRoomProps) {
  return (
    <label className="also-to-room">
      <input type="checkbox" checked={isChecked} onChange={({ target }) => onChange(target.checked)} />
      <span>{t('Also send to {room}', { room })}</span>
    </label>
  )
}
