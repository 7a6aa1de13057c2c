import { VideoOff } from 'lucide-react'
import { VoiceNote } from '../voice-note.tsx'
import { useVideo, useVideoControl } from './use-video.ts'
import { videoWords } from './video-words.ts'

/** Explains why the camera or the shared screen did not start, or ended. */
export function VideoNote() {
  const video = useVideoControl()
  const trouble = useVideo((view) => view.trouble)
  if (trouble === null) return null
  return (
    <VoiceNote role="alert" icon={<VideoOff aria-hidden="true" />} onDismiss={() => video.dismissTrouble()}>
      {videoWords[trouble]}
    </VoiceNote>
  )
}
