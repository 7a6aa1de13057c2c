import { ContextMenu } from '@base-ui/react/context-menu'
import type { Conversation } from '@foyer/protocol/conversations'
import { BellOff, X } from 'lucide-react'
import type { RefObject } from 'react'
import { useLocation } from 'wouter'
import { counted, t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { unreadCount } from '#src/store/conversations.ts'
import { isChannelMuted } from '#src/store/notification-settings.ts'
import { Hint } from '#src/ui/buttons/icon-button.tsx'
import { Count } from '#src/ui/marks/count.tsx'
import { CallMark } from '#src/voice/calls/call-mark.tsx'
import '#src/ui/fields/field.css'
import '#src/ui/popups/menu.css'
import { PageLink } from '#src/ui/buttons/page-link.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { useFocusAfter } from '#src/ui/focus/use-focus-after.ts'
import { closeConversation, conversationPath } from '../actions.ts'
import { ConversationAvatar } from '../conversation-avatar.tsx'
import { isGroup, peopleCount, useConversationName, useOthers } from '../conversation-name.ts'
import type { ConversationDialog } from './conversation-dialogs.tsx'
import { ConversationMenu } from './conversation-menu.tsx'

interface ConversationRowProps {
  conversation: Conversation
  isCurrent: boolean
  onOpen: (dialog: ConversationDialog) => void
  /** Receives the focus when the focused row is removed. */
  focusAfter: RefObject<HTMLElement | null>
}

export function ConversationRow({ conversation, isCurrent, onOpen, focusAfter }: ConversationRowProps) {
  useFocusAfter(focusAfter)
  const unread = useAppState((state) => (isCurrent ? 0 : unreadCount(state, conversation.id)))
  const isMuted = useAppState((state) => isChannelMuted(state, conversation.id))
  const hasCall = useAppState(({ calls }) => conversation.id in calls)
  const name = useConversationName(conversation)
  const note = useNote(conversation)
  const closing = useClosing(conversation, onOpen)
  const label = isGroup(conversation)
    ? t('Leave {name}', { name })
    : t('Close direct message with {name}', { name })
  return (
    <li>
      <ContextMenu.Root>
        <ContextMenu.Trigger render={<div className="room-row" />}>
          <PageLink
            href={conversationPath(conversation.id)}
            className="room-link"
            aria-label={[
              note === '' ? name : `${name} ${note}`,
              unread > 0 && counted(unread, '{count} unread', '{count} unread'),
              hasCall && t('call'),
              isMuted && t('muted'),
            ]
              .filter(Boolean)
              .join(', ')}
            aria-current={isCurrent ? 'page' : undefined}
            data-unread={(unread > 0 && !isMuted) || undefined}
            data-muted={isMuted || undefined}
            draggable={false}
          >
            <ConversationAvatar conversation={conversation} />
            <span className="conversation-names">
              <span className="room-name" dir="auto">
                {name}
              </span>{' '}
              {note !== '' && <span className="conversation-note">{note}</span>}
            </span>
            {isMuted && <BellOff aria-hidden="true" className="muted-mark" />}{' '}
            <CallMark conversationId={conversation.id} />
            <Count count={unread} isCalling={!isMuted} />
          </PageLink>
          <Hint label={label}>
            <button type="button" className="room-tool" aria-label={label} onClick={closing.close}>
              <X aria-hidden="true" />
            </button>
          </Hint>
        </ContextMenu.Trigger>
        <ContextMenu.Portal>
          <ContextMenu.Positioner className="floating">
            <ContextMenu.Popup className="menu">
              <ConversationMenu conversation={conversation} onOpen={onOpen} onClose={closing.close} />
            </ContextMenu.Popup>
          </ContextMenu.Positioner>
        </ContextMenu.Portal>
      </ContextMenu.Root>
      {closing.error !== null && (
        <p role="alert" className="form-error">
          {closing.error}
        </p>
      )}
    </li>
  )
}

/** The number of members of a group, or the other user's custom status. */
function useNote(conversation: Conversation): string {
  const [other] = useOthers(conversation)
  return isGroup(conversation) ? peopleCount(conversation) : (other?.custom ?? '')
}

/** Returns a function that closes a direct conversation, or asks before leaving a group, which the user cannot rejoin alone. */
function useClosing(conversation: Conversation, onOpen: (dialog: ConversationDialog) => void) {
  const session = useSession()
  const [, navigate] = useLocation()
  const { run, error } = useAction()

  function close() {
    if (isGroup(conversation)) return onOpen({ kind: 'leave', conversationId: conversation.id })
    run(async () => {
      await closeConversation(session, conversation)
      // Leaves the page only after the request has succeeded: another page has another list, which would not show the error.
      if (window.location.pathname.startsWith(conversationPath(conversation.id))) navigate('/home')
    })
  }

  return { close, error }
}
