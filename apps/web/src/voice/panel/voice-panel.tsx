import { t } from '#src/language/texts.ts'
import { QualitySign } from '../connection/quality-sign.tsx'
import { QuietNote } from '../devices/late-quiet-note.tsx'
import { isInVoice, phaseWords } from '../phases.ts'
import { useShowsVoiceRoom } from '../use-shows-voice-room.ts'
import { useVoice } from '../use-voice.ts'
import { CameraButton, ScreenButton } from '../video/video-buttons.tsx'
import { VideoNote } from '../video/video-note.tsx'
import { FailureCard } from './failure-note.tsx'
import { ListenerNote } from './listener-note.tsx'
import { DeafenButton, LeaveButton, MuteButton, VoiceSettingsButton } from './voice-buttons.tsx'
import { VoiceLink } from './voice-link.tsx'
import './voice-panel.css'

/** Voice controls in the sidebar, shown on every page. */
export function VoicePanel() {
  const phase = useVoice(({ status }) => status.phase)
  const showsVoiceRoom = useShowsVoiceRoom()
  if (phase === 'idle' || (phase === 'failed' && showsVoiceRoom)) return null
  return (
    <section className="voice-panel" aria-label={t('Voice')}>
      {isInVoice({ phase }) ? <Connected /> : <FailureCard />}
    </section>
  )
}

function Connected() {
  const phase = useVoice(({ status }) => status.phase)
  const showsVoiceRoom = useShowsVoiceRoom()
  return (
    <>
      <div className="voice-panel-head">
        <div className="voice-panel-place">
          <p className="voice-phase" role="status" data-phase={phase}>
            {phaseWords({ phase })}
          </p>
          <VoiceLink />
        </div>
        <QualitySign />
      </div>
      {!showsVoiceRoom && <ListenerNote />}
      {!showsVoiceRoom && <QuietNote />}
      {!showsVoiceRoom && <VideoNote />}
      <div className="voice-panel-buttons">
        <MuteButton />
        <DeafenButton />
        <CameraButton />
        <ScreenButton />
        <VoiceSettingsButton />
        <LeaveButton />
      </div>
    </>
  )
}
