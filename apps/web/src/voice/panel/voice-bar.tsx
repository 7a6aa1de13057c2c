import { t } from '#src/language/texts.ts'
import { isInVoice, phaseWords } from '../phases.ts'
import { useShowsVoiceRoom } from '../use-shows-voice-room.ts'
import { useVoice } from '../use-voice.ts'
import { FailureCard } from './failure-note.tsx'
import { VoiceLink } from './voice-link.tsx'
import './voice-bar.css'
import { LeaveButton, MuteButton } from './voice-buttons.tsx'
import './voice-panel.css'

/** Voice controls above the page, while the panel is in a closed drawer. */
export function VoiceBar() {
  const phase = useVoice(({ status }) => status.phase)
  const showsVoiceRoom = useShowsVoiceRoom()
  if (phase === 'idle' || showsVoiceRoom) return null
  if (!isInVoice({ phase })) {
    return (
      <section className="voice-bar" aria-label={t('Voice')}>
        <FailureCard />
      </section>
    )
  }
  return (
    <section className="voice-bar" aria-label={t('Voice')}>
      <div className="voice-panel-place">
        <p className="voice-phase" data-phase={phase}>
          {phaseWords({ phase })}
        </p>
        <VoiceLink />
      </div>
      <MuteButton />
      <LeaveButton />
    </section>
  )
}
