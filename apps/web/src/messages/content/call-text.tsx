import { Permission } from '@foyer/protocol/permissions'
import type { CallRecord } from '@foyer/protocol/voice'
import { useChannel } from '#src/channels/channel-context.ts'
import { isGroup } from '#src/conversations/conversation-name.ts'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { blockedIn } from '#src/store/friends.ts'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import { useCall, useJoinCall } from '#src/voice/calls/use-call.ts'
import { callSummary, participantsText } from '#src/voice/calls/words.ts'

interface CallTextProps {
  call: CallRecord
  callerId: string
}

/** The outcome of a call, shown after the caller's name. A user who missed the call can call back. */
export function CallText({ call, callerId }: CallTextProps) {
  const myId = useAppState((state) => state.me?.id ?? '')
  const { text, outcome } = callSummary(call, myId)
  const others = useOthersText(call, callerId)
  return (
    <>
      {text}
      {others !== '' && ` ${others}`}
      {outcome !== 'taken' && (
        <>
          {' '}
          <CallBack label={outcome === 'missed' ? t('Call back') : t('Call again')} />
        </>
      )}
    </>
  )
}

/** Names of the other participants of a group call. Blocked users are left out. */
function useOthersText({ participant_ids }: CallRecord, callerId: string): string {
  const { id, nameOf } = useChannel()
  const isOfGroup = useAppState(({ conversations }) => {
    const conversation = conversations[id]
    return conversation !== undefined && isGroup(conversation)
  })
  const users = useAppState((state) => state.users)
  const blocks = useAppState((state) => blockedIn(state, id))
  const myId = useAppState((state) => state.me?.id)
  if (!isOfGroup) return ''
  const others = participant_ids.filter((userId) => userId !== callerId && !(userId in blocks))
  const names = others.flatMap((userId) => {
    if (userId === myId) return t('you')
    return users[userId] === undefined ? [] : nameOf(users[userId])
  })
  return participantsText(names, others.length)
}

function CallBack({ label }: { label: string }) {
  const { id, may } = useChannel()
  const { call, isIn } = useCall(id)
  const join = useJoinCall()
  const tabIndex = useRowPart()
  // No button during a call, or without the permission to call.
  if (call !== undefined || isIn || !may(Permission.SendMessages)) return null
  return (
    <button type="button" className="system-link" tabIndex={tabIndex} onClick={() => join(id)}>
      {label}
    </button>
  )
}
