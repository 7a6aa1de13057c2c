import { Avatar } from '#src/presence/avatar.tsx'
import { useVoice } from '../use-voice.ts'
import './voice-marks.css'

interface VoiceFaceProps {
  userId: string
  name: string
  size: 'xs' | 'sm' | 'lg'
}

/** A user's avatar, with a ring while they speak. */
export function VoiceFace({ userId, name, size }: VoiceFaceProps) {
  const speaks = useSpeaks(userId)
  return (
    <span className="voice-face" data-speaking={speaks || undefined}>
      <Avatar id={userId} name={name} size={size} />
    </span>
  )
}

/** True while the user speaks in the room or call of this browser. */
export function useSpeaks(userId: string): boolean {
  return useVoice(({ status }) => status.speaking.has(userId))
}
