import { DoorClosed } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import './door-note.css'

/** Explains next to invites that they let no one in while the door is closed. */
export function DoorNote() {
  return (
    <p className="door-note">
      <DoorClosed aria-hidden="true" />
      <span>
        {t(
          'The door is closed: invites let no one in at the moment. People who use one wait for a moderator.',
        )}
      </span>
    </p>
  )
}
