import type { VoiceState } from '@foyer/protocol/voice'
import { t } from '#src/language/texts.ts'
import { PersonCard } from './person-card.tsx'
import { useVoiceNames } from './use-voice-names.ts'
import { useSpeaks, VoiceFace } from './voice-face.tsx'
import './voice-grid.css'
import { VoiceMarks } from './voice-marks.tsx'

interface VoiceGridProps {
  /** Null in a conversation. */
  spaceId: string | null
  voices: readonly VoiceState[]
  /** Accessible name of the list. */
  label: string
}

/** Grid of all users in a voice room or call. It highlights those who speak. */
export function VoiceGrid({ spaceId, voices, label }: VoiceGridProps) {
  const nameOf = useVoiceNames(spaceId, voices)
  return (
    <ul className="voice-grid" aria-label={label}>
      {voices.map((voice) => (
        <li key={voice.user_id}>
          <Tile voice={voice} name={nameOf(voice.user_id)} />
        </li>
      ))}
    </ul>
  )
}

function Tile({ voice, name }: { voice: VoiceState; name: string }) {
  const speaks = useSpeaks(voice.user_id)
  return (
    <PersonCard voice={voice} name={name} className="voice-tile" side="top">
      <VoiceFace userId={voice.user_id} name={name} size="lg" />
      <span className="voice-tile-line">
        <span className="voice-tile-name" dir="auto">
          {name}
        </span>
        {speaks && <span className="visually-hidden">{`, ${t('speaking')}`}</span>}
        <VoiceMarks voice={voice} />
      </span>
    </PersonCard>
  )
}
