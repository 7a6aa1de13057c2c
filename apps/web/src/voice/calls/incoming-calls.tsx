import { useEffect } from 'react'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { isBusy } from '#src/store/presences.ts'
import { useVoice } from '../use-voice.ts'
import { IncomingCall } from './incoming-call.tsx'
import './incoming-calls.css'
import { startRingtone } from './ringtone.ts'
import { useIncoming } from './use-incoming.ts'

/** Delay before ringing, so that calls that ended while the client was away do not ring after it reconnects. */
const SETTLE_MS = 300

/** Ringing calls, above everything on the screen. With "Do not disturb" they only appear in their conversations. */
export function IncomingCalls() {
  const isQuiet = useAppState(isBusy)
  const { calls, silence } = useIncoming()
  if (calls.length === 0 || isQuiet) return null
  return (
    // Live regions stay reachable while a dialog is open.
    <section className="incoming-calls" aria-label={t('Incoming calls')} aria-live="assertive">
      {calls.map((call) => (
        <IncomingCall key={call.conversation_id} call={call} onDone={silence} />
      ))}
      <Ringtone />
    </section>
  )
}

function Ringtone() {
  const output = useVoice(({ settings }) => settings.output)
  useEffect(() => {
    let stop = () => {}
    const timer = setTimeout(() => (stop = startRingtone(output)), SETTLE_MS)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [output])
  return null
}
