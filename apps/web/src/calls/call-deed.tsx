import { Permission } from '@foyer/protocol/permissions'
import type { CallRecord } from '@foyer/protocol/voice'
import { useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { useRowPart } from '#src/messages/row-focus.ts'
import { useAppState } from '#src/session/context.ts'
import { useCall, useJoinCall } from './use-call.ts'
import { callDeed } from './words.ts'

/** What became of a call, behind the name of who began it. Whoever missed it can call back. */
export function CallDeed({ call }: { call: CallRecord }) {
  const myId = useAppState((state) => state.me?.id ?? '')
  const { text, outcome } = callDeed(call, myId)
  if (outcome === 'taken') return text
  return (
    <>
      {text} <CallBack label={outcome === 'missed' ? t('Call back') : t('Call again')} />
    </>
  )
}

function CallBack({ label }: { label: string }) {
  const { id, may } = useChannel()
  const { call, isIn } = useCall(id)
  const join = useJoinCall()
  const tabIndex = useRowPart()
  // Who is called, or cannot be, is not called back.
  if (call !== undefined || isIn || !may(Permission.SendMessages)) return null
  return (
    <button type="button" className="system-link" tabIndex={tabIndex} onClick={() => join(id)}>
      {label}
    </button>
  )
}
