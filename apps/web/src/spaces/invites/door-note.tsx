import { DoorClosed } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import './door-note.css'

/** A note next to invites: while the door is closed, people who use an invite wait for a moderator. */
export function DoorNote() {
  return (
    <p className="door-note">
      <DoorClosed aria-hidden="true" />
      <span>{t('The door is closed. People who use an invite wait until a moderator lets them in.')}</span>
    </p>
  )
}
