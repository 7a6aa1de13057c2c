import { t } from '#src/language/texts.ts'
import { FailureCard } from './failure-note.tsx'
import { ListenerNote } from './listener-note.tsx'
import { isInVoice, phaseWords } from './phases.ts'
import { PlaceLink } from './place-link.tsx'
import { QualitySign } from './quality-sign.tsx'
import { useIsAtPlace } from './use-is-at-place.ts'
import { useVoice } from './use-voice.ts'
import { DeafenButton, LeaveButton, MuteButton, VoiceSettingsButton } from './voice-buttons.tsx'
import './voice-panel.css'

/** Voice controls in the sidebar, shown on every page. */
export function VoicePanel() {
  const phase = useVoice(({ status }) => status.phase)
  const isAtPlace = useIsAtPlace()
  if (phase === 'idle' || (phase === 'failed' && isAtPlace)) return null
  return (
    <section className="voice-panel" aria-label={t('Voice')}>
      {isInVoice({ phase }) ? <Connected /> : <FailureCard />}
    </section>
  )
}

function Connected() {
  const phase = useVoice(({ status }) => status.phase)
  const isAtPlace = useIsAtPlace()
  return (
    <>
      <div className="voice-panel-head">
        <div className="voice-panel-place">
          <p className="voice-phase" role="status" data-phase={phase}>
            {phaseWords({ phase })}
          </p>
          <PlaceLink />
        </div>
        <QualitySign />
      </div>
      {!isAtPlace && <ListenerNote />}
      <div className="voice-panel-buttons">
        <MuteButton />
        <DeafenButton />
        <VoiceSettingsButton />
        <LeaveButton />
      </div>
    </>
  )
}
