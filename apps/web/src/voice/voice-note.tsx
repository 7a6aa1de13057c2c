import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import './voice-note.css'

interface VoiceNoteProps {
  /** `alert` if the device failed, `status` if it still works, but with limits. */
  role: 'alert' | 'status'
  icon?: ReactNode
  onDismiss: () => void
  children: ReactNode
}

/** A sentence about the user's microphone, camera or screen, until the user dismisses it. */
export function VoiceNote({ role, icon, onDismiss, children }: VoiceNoteProps) {
  return (
    <div className="voice-note" role={role}>
      {icon}
      <p>{children}</p>
      <IconButton label={t('Dismiss')} icon={<X />} onClick={onDismiss} />
    </div>
  )
}
