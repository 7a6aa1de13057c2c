import { HeadphoneOff, MicOff, Video } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import type { MarkedVoice } from './marked-voice.ts'
import './shown-marks.css'

/** Marks of a user: muted or deafened, by themselves or by a moderator, and live with a camera or screen. */
export function ShownMarks({ voice }: { voice: MarkedVoice }) {
  const { mute, deaf, self_mute, self_deaf, self_video, self_stream } = voice
  return (
    <span className="voice-marks">
      {self_video && <Video aria-hidden="true" />}
      {(mute || self_mute) && <MicOff aria-hidden="true" data-forced={mute || undefined} />}
      {(deaf || self_deaf) && <HeadphoneOff aria-hidden="true" data-forced={deaf || undefined} />}
      {self_stream && (
        <span className="live-mark" aria-hidden="true">
          {t('LIVE')}
        </span>
      )}
      <span className="visually-hidden">{marksInWords(voice)}</span>
    </span>
  )
}

function marksInWords({ mute, deaf, self_mute, self_deaf, self_video, self_stream }: MarkedVoice): string {
  const words = [
    mute ? t('muted by a moderator') : self_mute && t('muted'),
    deaf ? t('deafened by a moderator') : self_deaf && t('deafened'),
    self_video && t('camera on'),
    self_stream && t('sharing their screen'),
  ]
  return words
    .filter((word) => word !== false)
    .map((word) => `, ${word}`)
    .join('')
}
