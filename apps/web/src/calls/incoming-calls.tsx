import { useEffect } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { useVoice } from '#src/voice/use-voice.ts'
import { IncomingCall } from './incoming-call.tsx'
import './incoming-calls.css'
import { startRingtone } from './ringtone.ts'
import { useIncoming } from './use-incoming.ts'

/** Who comes back after a while hears of calls that began and ended meanwhile: for those it does not begin to ring. */
const SETTLE_MS = 300

/** Calls that ring, over whatever is on the screen. Who does not want to be disturbed finds them in their conversations. */
export function IncomingCalls() {
  const { presence } = useSession()
  const { calls, silence } = useIncoming()
  if (calls.length === 0 || presence.status === 'dnd') return null
  return (
    // What is told as it comes stays within reach while a dialog is open.
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
