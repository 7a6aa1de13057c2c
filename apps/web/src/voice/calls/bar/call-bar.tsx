import type { Conversation } from '@foyer/protocol/conversations'
import { BellRing, Phone } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { QuietNote } from '../../devices/late-quiet-note.tsx'
import { FailureNote } from '../../panel/failure-note.tsx'
import { ListenerNote } from '../../panel/listener-note.tsx'
import { DeafenButton, LeaveButton, MuteButton, VoiceSettingsButton } from '../../panel/voice-buttons.tsx'
import { VoiceGrid } from '../../people/voice-grid.tsx'
import { phaseWords } from '../../phases.ts'
import { useVoice } from '../../use-voice.ts'
import { CameraButton, ScreenButton } from '../../video/video-buttons.tsx'
import { VideoNote } from '../../video/video-note.tsx'
import './call-bar.css'
import { CallClock } from '../call-clock.tsx'
import { CallPeople } from '../call-people.tsx'
import { useCall, useJoinCall } from '../use-call.ts'

/** Bar above the messages of a conversation during a call: its users, and buttons to join, mute and leave. */
export function CallBar({ conversation }: { conversation: Conversation }) {
  const { call, voices, isIn, hasFailed } = useCall(conversation.id)
  const myId = useAppState((state) => state.me?.id)
  if (call === undefined && !isIn && !hasFailed) return null
  const hasPictures = isIn && voices.some(({ self_video, self_stream }) => self_video || self_stream)
  const isAlone = voices.length === 1 && voices[0]?.user_id === myId && call?.ringing.length === 0
  return (
    <section className="call-bar" aria-label={t('Call')}>
      {hasFailed && <FailureNote />}
      {(call !== undefined || isIn) && (
        <div className="call-bar-line">
          <CallPeople
            conversation={conversation}
            voices={hasPictures ? [] : voices}
            ringing={call?.ringing ?? []}
          />
          <p className="call-bar-state">
            {isIn && <Phase />}
            {isIn && <span role="status">{isAlone && t('You’re the only one here.')}</span>}
            {call !== undefined && <CallClock since={call.started_at} />}
          </p>
          {isIn ? <Inside conversation={conversation} /> : <WayIn conversationId={conversation.id} />}
        </div>
      )}
      {isIn && <ListenerNote />}
      {isIn && <QuietNote />}
      {isIn && <VideoNote />}
      {hasPictures && <VoiceGrid spaceId={null} voices={voices} label={t('Video')} />}
    </section>
  )
}

function Phase() {
  const status = useVoice((view) => view.status)
  return status.phase === 'connected' ? null : <span role="status">{phaseWords(status)}</span>
}

function Inside({ conversation }: { conversation: Conversation }) {
  return (
    <div className="call-bar-buttons">
      <RingAgain conversation={conversation} />
      <MuteButton />
      <DeafenButton />
      <CameraButton />
      <ScreenButton />
      <VoiceSettingsButton />
      <LeaveButton />
    </div>
  )
}

/** Rings again for recipients who did not join. */
function RingAgain({ conversation }: { conversation: Conversation }) {
  const { client } = useSession()
  const { call, voices } = useCall(conversation.id)
  const { pending, error, run } = useAction()
  const isMissing = conversation.recipients.some(
    ({ id, is_bot }) => !is_bot && !voices.some(({ user_id }) => user_id === id),
  )
  if (call === undefined || call.ringing.length > 0 || !isMissing) return null
  return (
    <>
      {error !== null && (
        <p className="form-error" role="alert">
          {error}
        </p>
      )}
      <IconButton
        label={t('Ring again')}
        icon={<BellRing />}
        pending={pending}
        onClick={() => run(() => client.calls.ring(conversation.id))}
      />
    </>
  )
}

function WayIn({ conversationId }: { conversationId: string }) {
  const join = useJoinCall()
  return (
    <Button look="primary" onClick={() => join(conversationId)}>
      <Phone aria-hidden="true" /> {t('Join')}
    </Button>
  )
}
