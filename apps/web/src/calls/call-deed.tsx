import { Permission } from '@foyer/protocol/permissions'
import type { CallRecord } from '@foyer/protocol/voice'
import { useChannel } from '#src/channels/channel-context.ts'
import { isGroup } from '#src/conversations/conversation-name.ts'
import { t } from '#src/language/texts.ts'
import { useRowPart } from '#src/messages/row-focus.ts'
import { useAppState } from '#src/session/context.ts'
import { blockedIn } from '#src/store/friends.ts'
import { useCall, useJoinCall } from './use-call.ts'
import { callDeed, companyWords } from './words.ts'

interface CallDeedProps {
  call: CallRecord
  callerId: string
}

/** What became of a call, behind the name of who began it. Whoever missed it can call back. */
export function CallDeed({ call, callerId }: CallDeedProps) {
  const myId = useAppState((state) => state.me?.id ?? '')
  const { text, outcome } = callDeed(call, myId)
  const company = useCompany(call, callerId)
  return (
    <>
      {text}
      {company !== '' && ` ${company}`}
      {outcome !== 'taken' && (
        <>
          {' '}
          <CallBack label={outcome === 'missed' ? t('Call back') : t('Call again')} />
        </>
      )}
    </>
  )
}

/** Between two it goes without saying. Whom the reader blocks is not told of. */
function useCompany({ participant_ids }: CallRecord, callerId: string): string {
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
  return companyWords(names, others.length)
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
