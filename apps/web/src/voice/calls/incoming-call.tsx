import { CALL_RING_SECONDS, type Call } from '@foyer/protocol/voice'
import { Phone, PhoneOff } from 'lucide-react'
import { useEffect, useId } from 'react'
import { useLocation } from 'wouter'
import { conversationPath } from '#src/conversations/actions.ts'
import { ConversationAvatar } from '#src/conversations/conversation-avatar.tsx'
import { conversationName, isGroup } from '#src/conversations/conversation-name.ts'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { useShortcut } from '#src/shortcuts/use-shortcut.ts'
import { othersIn } from '#src/store/conversations.ts'
import type { State } from '#src/store/state.ts'
import { personName } from '#src/store/users.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useJoinCall } from './use-call.ts'
import { useTitleHint } from './use-title-hint.ts'

interface IncomingCallProps {
  call: Call
  /** Called when the call was answered or declined, or stopped ringing. */
  onDone: (conversationId: string) => void
}

/**
 * An incoming call. It does not take the focus: users can keep writing, and answer with a shortcut or reach it with the
 * Tab key.
 */
export function IncomingCall({ call, onDone }: IncomingCallProps) {
  const { client } = useSession()
  const id = call.conversation_id
  const conversation = useAppState((state) => state.conversations[id])
  const words = useAppState((state) => callWords(state, call))
  const [, navigate] = useLocation()
  const join = useJoinCall()
  const labelId = useId()
  useTitleHint(`📞 ${words}`)

  // The server also ends the ringing, but its event does not arrive without a connection.
  useEffect(() => {
    const timer = setTimeout(() => onDone(call.conversation_id), CALL_RING_SECONDS * 1000)
    return () => clearTimeout(timer)
  }, [call, onDone])

  function accept() {
    join(id)
    navigate(conversationPath(id))
    onDone(id)
  }
  function decline() {
    // If the request fails, other devices ring until the time is up.
    client.calls.decline(id).catch(() => undefined)
    onDone(id)
  }
  useShortcut('accept-call', accept)
  useShortcut('decline-call', decline)

  return (
    <div role="alertdialog" className="incoming-call" aria-labelledby={labelId}>
      {conversation !== undefined && <ConversationAvatar conversation={conversation} size="lg" />}
      <div className="incoming-call-words">
        <p id={labelId} className="incoming-call-title">
          {words}
        </p>
        {conversation !== undefined && isGroup(conversation) && (
          <p className="incoming-call-note">
            <GroupName id={id} />
          </p>
        )}
      </div>
      <div className="incoming-call-buttons">
        <Button look="danger" onClick={decline}>
          <PhoneOff aria-hidden="true" /> {t('Decline')}
        </Button>
        <Button look="primary" className="incoming-call-accept" onClick={accept}>
          <Phone aria-hidden="true" /> {t('Accept')}
        </Button>
      </div>
    </div>
  )
}

function GroupName({ id }: { id: string }) {
  return useAppState((state) => nameOf(state, id))
}

function callWords({ users }: State, { initiator_id }: Call): string {
  const caller = users[initiator_id]
  return caller === undefined ? t('Incoming call') : t('{name} is calling', { name: personName(caller) })
}

function nameOf({ conversations, me, users }: State, id: string): string {
  const conversation = conversations[id]
  return conversation === undefined
    ? ''
    : conversationName(conversation, othersIn({ me, users }, conversation))
}
