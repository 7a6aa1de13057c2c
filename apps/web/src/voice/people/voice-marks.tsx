import type { VoiceState } from '@foyer/protocol/voice'
import { HeadphoneOff, MicOff } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import './voice-marks.css'

/** Marks a user as muted or deafened, by themselves or by a moderator. */
export function VoiceMarks({
  voice,
}: {
  voice: Pick<VoiceState, 'mute' | 'deaf' | 'self_mute' | 'self_deaf'>
}) {
  const { mute, deaf, self_mute, self_deaf } = voice
  const isDeaf = deaf || self_deaf
  if (!mute && !self_mute && !isDeaf) return null
  return (
    <span className="voice-marks">
      {(mute || self_mute) && <MicOff aria-hidden="true" data-forced={mute || undefined} />}
      {isDeaf && <HeadphoneOff aria-hidden="true" data-forced={deaf || undefined} />}
      <span className="visually-hidden">{marksInWords(voice)}</span>
    </span>
  )
}

function marksInWords({
  mute,
  deaf,
  self_mute,
  self_deaf,
}: Parameters<typeof VoiceMarks>[0]['voice']): string {
  const words = [
    mute ? t('muted by a moderator') : self_mute && t('muted'),
    deaf ? t('deafened by a moderator') : self_deaf && t('deafened'),
  ]
  return words
    .filter((word) => word !== false)
    .map((word) => `, ${word}`)
    .join('')
}
