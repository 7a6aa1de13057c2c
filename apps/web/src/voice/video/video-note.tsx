import { VideoOff, X } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { useVideo, useVideoControl } from './use-video.ts'
import './video-note.css'
import { videoWords } from './video-words.ts'

/** Explains why the camera or the shared screen did not start, or ended. */
export function VideoNote() {
  const video = useVideoControl()
  const trouble = useVideo((view) => view.trouble)
  if (trouble === null) return null
  return (
    <div className="video-note" role="alert">
      <VideoOff aria-hidden="true" />
      <p>{videoWords[trouble]}</p>
      <IconButton label={t('Dismiss')} icon={<X />} onClick={() => video.dismissTrouble()} />
    </div>
  )
}
